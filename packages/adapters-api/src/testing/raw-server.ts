import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A server on a loopback port that answers as a test specifies, and tracks its connections. */
export class RawServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #connections = 0;

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#connections += 1;
      this.#sockets.add(socket);
      // Many tests are about a client that disconnects midway.
      socket.on('error', () => undefined).once('close', () => this.#sockets.delete(socket));
    });
  }

  /** An HTTP server. */
  static start(answer: RequestListener): Promise<RawServer> {
    return RawServer.listen(createServer(answer));
  }

  /** A server of any protocol. */
  static async listen(server: Server): Promise<RawServer> {
    const raw = new RawServer(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return raw;
  }

  /** `127.0.0.1:<port>`. */
  get host(): string {
    return `127.0.0.1:${portOf(this.#server.address())}`;
  }

  /** Without a trailing slash. */
  get url(): string {
    return `http://${this.host}`;
  }

  /** The number of connections so far. */
  get connections(): number {
    return this.#connections;
  }

  /** Resolves when the next client has connected. */
  async connected(): Promise<void> {
    await once(this.#server, 'connection');
  }

  /** Resolves when all connections are closed. */
  async allClosed(): Promise<void> {
    // Without `once`, which rejects when a connection is reset.
    await Promise.all([...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    await closed;
  }
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
