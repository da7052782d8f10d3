import { randomUUID } from 'node:crypto';
import { createServer, IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log } from '@gemini-mcp/server';
import { getRequestListener, RequestError } from '@hono/node-server';
import { addressGroup } from '../access/failure-throttle.ts';
import { type ErrorBody, internalError } from '../refusal.ts';
import { ConnectionSlots } from './connection-slots.ts';
import { sendEvents } from './send-events.ts';

export type HttpServerOptions = {
  /** Answers each request: `fetch` of a Hono app. `bindings` belong to `HttpEnv`. */
  readonly fetch: (request: Request, bindings: object) => Response | Promise<Response>;
  readonly limits: HttpLimits;
  readonly log: Log;
  /** Called with the code of each refusal outside the routes, including `too-many-connections` and `connection-displaced`. */
  readonly onRefused?: (code: string) => void;
};

const noTunnel: SocketRefusal = {
  status: 405,
  code: 'method-not-allowed',
  message: 'This server is not a proxy: CONNECT is not supported.',
};
const unknownExpectation: SocketRefusal = {
  status: 417,
  code: 'expectation-failed',
  message: 'This server supports only the expectation 100-continue.',
};
const badTarget: SocketRefusal = {
  status: 400,
  code: 'malformed-request',
  message: 'The target or the Host header of the request is malformed.',
};

/**
 * Creates a server that does not listen yet. It limits everything that can be sent slowly, at length or in number, and
 * refuses with JSON, whatever is wrong. It ignores `Upgrade`, as HTTP allows. During shutdown, no connection outlives its
 * pending response.
 */
export function createHttpServer(options: HttpServerOptions): Server {
  const { limits, log, onRefused = () => undefined } = options;
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    maxHeaderSize: limits.maxHeaderBytes,
    insecureHTTPParser: false,
    // Node would answer with an empty body. A request without a host is refused later with a message.
    requireHostHeader: false,
  });
  server.timeout = limits.stalledTimeoutMs;
  server.maxRequestsPerSocket = limits.maxRequestsPerSocket;
  answerRequests(server, options, shareConnections(server, options));
  server.on('checkExpectation', (_, outgoing) => {
    onRefused(unknownExpectation.code);
    const body = JSON.stringify(errorBodyOf(unknownExpectation));
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    };
    outgoing.writeHead(unknownExpectation.status, headers).end(body);
  });
  server.on('dropRequest', () => onRefused('too-many-requests-on-connection'));
  // Before it listens, its caller gets the error.
  server.on('error', (error) => server.listening && log.error('http-server-failed', { error }));
  return server;
}

/** Closes connections over the limit. Node itself could only close the new one, even if another client holds all the others. */
function shareConnections(server: Server, options: HttpServerOptions): ConnectionSlots<Socket> {
  const { limits, onRefused = () => undefined } = options;
  const places = new ConnectionSlots<Socket>(limits);
  server.on('connection', (socket) => {
    const admission = places.admit(socket, addressGroup(socket.remoteAddress));
    if (admission.type === 'refused') {
      onRefused('too-many-connections');
      socket.destroy();
      return;
    }
    socket.once('close', () => places.release(socket));
    if (admission.displaced !== null) {
      onRefused('connection-displaced');
      admission.displaced.destroy();
    }
  });
  return places;
}

function answerRequests(server: Server, options: HttpServerOptions, places: ConnectionSlots<Socket>): void {
  const { onRefused = () => undefined } = options;
  const latest = new WeakMap<Duplex, Exchange>();
  const unheard = new UnheardResponses();
  const listener = createListener(options, places);
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    latest.set(incoming.socket, { incoming, outgoing });
    unheard.watch(incoming.socket, outgoing);
    places.begin(incoming.socket);
    outgoing.once('close', () => {
      places.end(incoming.socket);
      if (!server.listening) {
        server.closeIdleConnections();
      }
    });
    void listener(incoming, outgoing);
  };
  server.on('request', answer);
  server.on('checkContinue', (incoming, outgoing) => {
    // The code that reads the body asks for it. A sender refused before that may send it or not: the next request on this
    // connection could be taken for a body.
    outgoing.setHeader('Connection', 'close');
    answer(incoming, outgoing);
  });
  const tell = (refusal: SocketRefusal | null): void => {
    if (refusal !== null) {
      onRefused(refusal.code);
    }
  };
  // The connection is idle: that is normal while an answer is prepared, but not while one waits to be read.
  server.on('timeout', (socket) => {
    const isIdle = latest.get(socket)?.outgoing.writableFinished ?? true;
    if (isIdle || socket.writableLength > 0) {
      socket.destroy();
    }
  });
  server.on('clientError', (error, socket) => tell(answerClientError(error, socket, latest.get(socket))));
  server.on('connect', (_, socket) => tell(answerOnSocket(noTunnel, socket, latest.get(socket))));
}

function createListener(
  { fetch, log, onRefused = () => undefined }: HttpServerOptions,
  places: ConnectionSlots<Socket>,
): RequestListener {
  return getRequestListener(
    async (request, bindings) => {
      const { incoming, outgoing } = bindings;
      const noteOwner = (owner: string): void => {
        // Never an HTTP/2 request, which the types include.
        if (incoming instanceof IncomingMessage) {
          places.noteOwner(incoming.socket, owner);
        }
      };
      const response = await fetch(request, { ...bindings, noteOwner });
      const onError = (error: unknown): void => {
        log.error('stream-failed', { error });
        outgoing.destroy();
      };
      return outgoing instanceof ServerResponse ? sendEvents(response, outgoing, onError) : response;
    },
    {
      // For a request without a host, which the host guard refuses, not a URL error.
      hostname: 'localhost',
      errorHandler: (error) => {
        const refusal = error instanceof RequestError ? badTarget : internalError;
        const body = errorBodyOf(refusal);
        if (refusal === internalError) {
          log.error('request-failed', { requestId: body.error.requestId, error });
        }
        onRefused(refusal.code);
        return Response.json(body, { status: refusal.status });
      },
    },
  );
}

type RequestListener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** The latest request on a connection, and its response. */
type Exchange = {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
};

const malformed: SocketRefusal = {
  status: 400,
  code: 'malformed-request',
  message: 'The connection did not carry an HTTP/1.1 request.',
};

/** By the error codes of Node and its parser. */
const refusals: Readonly<Record<string, SocketRefusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'headers-too-large',
    message: 'The headers of the request are larger than this server allows.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'body-too-large',
    message: 'The chunk extensions of the body are larger than this server allows.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request-timeout',
    message: 'The request did not arrive completely in time.',
  },
};

/**
 * Answers bytes that the parser refused, and closes the connection. Says nothing if no one would read it, or if it would be
 * inside another response: Node itself would send 400 in place of the answer to an earlier request
 * (create-http-server.test.ts). Returns its answer, or null without one.
 */
function answerClientError(
  error: Error & { readonly code?: string },
  socket: Duplex,
  latest: Exchange | undefined,
): SocketRefusal | null {
  const { code = '' } = error;
  if (code === 'ECONNRESET') {
    socket.destroy();
    return null;
  }
  return answerOnSocket(refusals[code] ?? malformed, socket, latest);
}

/** Answers on the connection itself and closes it, unless an earlier answer is pending or in progress. */
function answerOnSocket(refusal: SocketRefusal, socket: Duplex, latest: Exchange | undefined): SocketRefusal | null {
  if (!socket.writable || isAnswering(latest)) {
    socket.destroy();
    return null;
  }
  refuseOnSocket(socket, refusal);
  return refusal;
}

/** An incomplete request may be answered here; a complete one is answered by its route. */
function isAnswering(latest: Exchange | undefined): boolean {
  if (latest === undefined || latest.outgoing.writableFinished) {
    return false;
  }
  return latest.outgoing.headersSent || latest.incoming.complete;
}

/** Why a connection is answered without a request for a route. */
type SocketRefusal = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
};

/** The body of a refusal outside the routes, with its own id. */
function errorBodyOf({ code, message }: SocketRefusal): ErrorBody {
  return { error: { code, message, requestId: randomUUID() } };
}

/** Writes a whole response to a connection and closes it. */
function refuseOnSocket(socket: Duplex, refusal: SocketRefusal): void {
  const body = JSON.stringify(errorBodyOf(refusal));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  // If only ended, it would stay open as long as the other side likes.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/**
 * Responses that wait for their turn because their requests arrived before earlier answers on the same connection were sent.
 * When a connection closes, Node notifies only the response whose turn it is: the work for the others would go on, and
 * count, forever. This class notifies them. Without it, 20 requests sent at once on a connection that is then cut stay in
 * the counts of their principal (unheard-responses.test.ts).
 */
class UnheardResponses {
  readonly #waiting = new WeakMap<Socket, Set<ServerResponse>>();

  /** Must be called with each response before any work for it. */
  watch(socket: Socket, outgoing: ServerResponse): void {
    if (outgoing.socket === null) {
      const waiting = this.#waitingOn(socket).add(outgoing);
      outgoing.once('close', () => waiting.delete(outgoing));
    }
  }

  #waitingOn(socket: Socket): Set<ServerResponse> {
    const known = this.#waiting.get(socket);
    if (known !== undefined) {
      return known;
    }
    const waiting = new Set<ServerResponse>();
    this.#waiting.set(socket, waiting);
    // One listener for all of them: a thousand may wait.
    socket.once('close', () => waiting.forEach(tell));
    return waiting;
  }
}

function tell(outgoing: ServerResponse): void {
  if (outgoing.socket === null && !outgoing.writableFinished) {
    outgoing.destroy();
    outgoing.emit('close');
  }
}

/** Limits of a connection before it has a request. */
export type HttpLimits = {
  /** Connections at one time; each further one displaces an older one, or is closed. */
  readonly maxConnections: number;
  /** Until the last header has arrived, from the first byte or the opening of the connection. */
  readonly headersTimeoutMs: number;
  /** Until the last byte of the body has arrived. The time for an answer is not limited here. */
  readonly requestTimeoutMs: number;
  /** How long no byte of a response may be read. A slow reader has as much time as it needs. */
  readonly stalledTimeoutMs: number;
  /** How long a connection may be idle between two requests. */
  readonly keepAliveTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** Requests until a connection is closed, so that none lives forever. */
  readonly maxRequestsPerSocket: number;
  /** How often the first two times are checked. */
  readonly checkIntervalMs: number;
};

export const defaultHttpLimits: HttpLimits = {
  maxConnections: 1_024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  stalledTimeoutMs: 30_000,
  keepAliveTimeoutMs: 5_000,
  maxHeaderBytes: 8_192,
  maxRequestsPerSocket: 1_000,
  checkIntervalMs: 1_000,
};
