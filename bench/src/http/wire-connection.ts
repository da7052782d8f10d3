import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An answer as it came over the wire, in Latin-1: what is beyond ASCII in it is not to be read. */
export type WireAnswer = {
  readonly status: number;
  readonly head: string;
  /** With the sizes of its chunks, where it came in chunks. */
  readonly body: string;
};

type Waiting = {
  readonly resolve: (answer: WireAnswer) => void;
  readonly reject: (error: Error) => void;
};

const headEnd = '\r\n\r\n';
const lastChunk = '\r\n0\r\n\r\n';

/**
 * A connection over HTTP/1.1 that is kept, for one request at a time. It does as little as can be done, so that what is measured
 * is the server: a client that parses headers and bodies would need about as much processor time as the server.
 */
export class WireConnection {
  readonly #socket: Socket;
  #received = '';
  #waiting: Waiting | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => this.#take(piece));
    socket.on('error', () => undefined);
    socket.on('close', () => this.#waiting?.reject(new Error('The server closed the connection within an answer')));
  }

  static async open(port: number): Promise<WireConnection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new WireConnection(socket);
  }

  /** Whether another request can be sent. */
  get isOpen(): boolean {
    return this.#socket.writable;
  }

  /** Sends a request. Resolves when the answer is whole. */
  exchange(request: string): Promise<WireAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request, 'latin1');
    });
  }

  /** Sends a request whose answer is a stream that stays open. Resolves with its head. */
  async openStream(request: string): Promise<string> {
    this.#socket.write(request, 'latin1');
    while (!this.#received.includes(headEnd)) {
      await once(this.#socket, 'data');
    }
    return this.#received;
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(piece: string): void {
    this.#received += piece;
    const answer = this.#waiting === null ? null : readAnswer(this.#received);
    if (answer === null) {
      return;
    }
    this.#received = '';
    const { resolve } = this.#waiting ?? {};
    this.#waiting = null;
    if (/^connection: close\r$/im.test(answer.head)) {
      this.#socket.end();
    }
    resolve?.(answer);
  }
}

/** Null while it is not whole. */
function readAnswer(received: string): WireAnswer | null {
  const end = received.indexOf(headEnd);
  if (end === -1) {
    return null;
  }
  const head = received.slice(0, end + headEnd.length);
  const length = /^content-length: (\d+)\r$/im.exec(head)?.[1];
  const bodyStart = end + headEnd.length;
  const isWhole = length === undefined ? received.endsWith(lastChunk) : received.length >= bodyStart + Number(length);
  return isWhole ? { status: Number(received.slice(9, 12)), head, body: received.slice(bodyStart) } : null;
}
