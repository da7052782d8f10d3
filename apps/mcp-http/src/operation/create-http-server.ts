import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log } from '@gemini-mcp/server';
import { getRequestListener, RequestError } from '@hono/node-server';
import { addressGroup } from '../access/address-group.ts';
import { internalError } from '../refusal.ts';
import { answerClientError, answerOnSocket, type Exchange } from './client-error.ts';
import { ConnectionPlaces } from './connection-places.ts';
import type { HttpLimits } from './http-limits.ts';
import { sendEvents } from './send-events.ts';
import { errorBodyOf, type SocketRefusal } from './socket-refusal.ts';
import { UnheardResponses } from './unheard-responses.ts';

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
function shareConnections(server: Server, options: HttpServerOptions): ConnectionPlaces<Socket> {
  const { limits, onRefused = () => undefined } = options;
  const places = new ConnectionPlaces<Socket>(limits);
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

function answerRequests(server: Server, options: HttpServerOptions, places: ConnectionPlaces<Socket>): void {
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
  places: ConnectionPlaces<Socket>,
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
