import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorBody } from '../refusal.ts';

/** Why a connection is answered without there being a request that a route could answer. */
export type SocketRefusal = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
};

/** The body of a refusal that no route makes; it has an id of its own. */
export function errorBodyOf({ code, message }: SocketRefusal): ErrorBody {
  return { error: { code, message, requestId: randomUUID() } };
}

/** Writes a whole answer onto a connection and closes it. */
export function refuseOnSocket(socket: Duplex, refusal: SocketRefusal): void {
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
