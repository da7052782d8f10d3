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
  /** Answers each request: `fetch` of a Hono app. `bindings` are those of `HttpEnv`. */
  readonly fetch: (request: Request, bindings: object) => Response | Promise<Response>;
  readonly limits: HttpLimits;
  readonly log: Log;
  /** Told the code of each refusal that no route has made, `too-many-connections` and `connection-displaced` among them. */
  readonly onRefused?: (code: string) => void;
};

const noTunnel: SocketRefusal = {
  status: 405,
  code: 'method-not-allowed',
  message: 'This server is no proxy: CONNECT has no meaning here.',
};
const unknownExpectation: SocketRefusal = {
  status: 417,
  code: 'expectation-failed',
  message: 'The only expectation that this server knows is 100-continue.',
};
const badTarget: SocketRefusal = {
  status: 400,
  code: 'malformed-request',
  message: 'The target or the Host header of the request is not in a form that can be read.',
};

/**
 * Makes a server that does not listen yet. It has a limit for everything that can be sent slowly, at length or in number, and
 * says what it refuses as JSON, whatever is wrong with it. An `Upgrade` is ignored, as HTTP allows. Once it is being closed,
 * no connection outlives the response that it waits for.
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
    // Node would answer with an empty body; a request without a host is refused later, in words.
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
  // Before it listens, its caller is told.
  server.on('error', (error) => server.listening && log.error('http-server-failed', { error }));
  return server;
}

/** Closes connections where there are more than there may be. Node itself could only close the new one, whose ever that is. */
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
    // The code that reads the body asks for it. A sender that is refused before may send it or not: the next request on this
    // connection could be taken for a body.
    outgoing.setHeader('Connection', 'close');
    answer(incoming, outgoing);
  });
  const tell = (refusal: SocketRefusal | null): void => {
    if (refusal !== null) {
      onRefused(refusal.code);
    }
  };
  // Nothing has moved on the connection: as it should be while an answer is made, but not where one lies there untaken.
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
        // It is never one of HTTP/2, which the types know as well.
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
      // What others in this process make of the global Request and Response is theirs.
      overrideGlobalObjects: false,
      // For what names no host: it is refused by the guard that looks at hosts, and not for want of a URL.
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

/** The latest request that came over a connection, and its response. */
type Exchange = {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
};

const malformed: SocketRefusal = {
  status: 400,
  code: 'malformed-request',
  message: 'What came over the connection is no HTTP/1.1 request.',
};

/** By the codes of Node and of its parser. */
const refusals: Readonly<Record<string, SocketRefusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'headers-too-large',
    message: 'The headers of the request are larger than this server takes.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'body-too-large',
    message: 'The chunk extensions of the body are larger than this server takes.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'request-timeout',
    message: 'The request did not arrive whole in time.',
  },
};

/**
 * Answers what the parser could not take, and closes the connection. Says nothing where no one would hear it, or where it would
 * be inside another answer: Node itself would answer 400 in the place of the answer to an earlier request (create-http-server.test.ts).
 * Returns how it answered, null where it did not.
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

/** Answers on the connection itself and closes it, unless an answer to what came before is still to come or under way. */
function answerOnSocket(refusal: SocketRefusal, socket: Duplex, latest: Exchange | undefined): SocketRefusal | null {
  if (!socket.writable || isAnswering(latest)) {
    socket.destroy();
    return null;
  }
  refuseOnSocket(socket, refusal);
  return refusal;
}

/** A request of which the rest is missing may be answered instead of its route; one that is whole will be by its route. */
function isAnswering(latest: Exchange | undefined): boolean {
  if (latest === undefined || latest.outgoing.writableFinished) {
    return false;
  }
  return latest.outgoing.headersSent || latest.incoming.complete;
}

/** Why a connection is answered without there being a request that a route could answer. */
type SocketRefusal = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
};

/** The body of a refusal that no route makes; it has an id of its own. */
function errorBodyOf({ code, message }: SocketRefusal): ErrorBody {
  return { error: { code, message, requestId: randomUUID() } };
}

/** Writes a whole answer onto a connection and closes it. */
function refuseOnSocket(socket: Duplex, refusal: SocketRefusal): void {
  const body = JSON.stringify(errorBodyOf(refusal));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  // Only ended, it would stay open for as long as the other side likes.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/**
 * Responses that wait for their turn, because their requests came before the answers to earlier ones on the same connection.
 * When a connection closes, Node tells that to the response whose turn it is alone: what runs for the others would go on, and
 * count, for ever. Here they are told. Without this, 20 requests sent at once on a connection that is then cut stay in the counts of their
 * principal (unheard-responses.test.ts).
 */
class UnheardResponses {
  readonly #waiting = new WeakMap<Socket, Set<ServerResponse>>();

  /** To be told of each response before anything is done for it. */
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

/** How long and how much the server bears with a connection before it has a request. */
export type HttpLimits = {
  /** Connections at one time; beyond that each new one displaces an older one, or is closed. */
  readonly maxConnections: number;
  /** Until the last header has come, from the first byte or the opening of the connection. */
  readonly headersTimeoutMs: number;
  /** Until the last byte of the body has come. How long an answer takes is no concern here. */
  readonly requestTimeoutMs: number;
  /** How long nothing of what is to be sent may be taken. A reader that is merely slow has all the time it wants. */
  readonly stalledTimeoutMs: number;
  /** How long a connection may lie idle between two requests. */
  readonly keepAliveTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** After which a connection is closed, so that none lives for ever. */
  readonly maxRequestsPerSocket: number;
  /** How often the first two times are looked at. */
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
