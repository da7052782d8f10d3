import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuseOnSocket, type SocketRefusal } from './socket-refusal.ts';

/** The latest request that came over a connection, and its response. */
export type Exchange = {
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
export function answerClientError(
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
export function answerOnSocket(
  refusal: SocketRefusal,
  socket: Duplex,
  latest: Exchange | undefined,
): SocketRefusal | null {
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
