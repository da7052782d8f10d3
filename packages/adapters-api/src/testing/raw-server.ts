import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A server on a loopback port that answers as a test says, and knows its connections. */
export class RawServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(answer: RequestListener): Promise<RawServer> {
    const raw = new RawServer(createServer(answer));
    raw.#server.listen(0, '127.0.0.1');
    await once(raw.#server, 'listening');
    return raw;
  }

  /** Without a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server.address())}`;
  }

  /** Resolves when no connection is open. */
  async allClosed(): Promise<void> {
    // Not by `once`, which rejects when a connection is reset.
    await Promise.all([...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
