import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** More than a program opens that makes as many calls at once as it may. */
const maxConnections = 256;

/**
 * The connections to an endpoint. Where there are too many, the oldest of those ends that have proved nothing: strangers cannot keep out who
 * has the right to speak.
 */
export class BoundConnections<Run> {
  readonly #strangers = new Set<Socket>();
  readonly #known = new Map<Socket, Run>();

  /** Watches the connections of a server. */
  watch(server: Server): void {
    server.on('connection', (socket) => this.#add(socket));
  }

  /** Somebody has proved over this connection to be of a run. */
  know(socket: Socket, run: Run): void {
    if (this.#strangers.delete(socket) || this.#known.has(socket)) {
      this.#known.set(socket, run);
    }
  }

  /** Ends the connections over which a run was spoken to last. */
  end(run: Run): void {
    for (const [socket, of] of this.#known) {
      if (of === run) {
        socket.destroy();
      }
    }
  }

  endAll(): void {
    for (const socket of [...this.#strangers, ...this.#known.keys()]) {
      socket.destroy();
    }
  }

  #add(socket: Socket): void {
    if (this.#strangers.size + this.#known.size >= maxConnections) {
      const [oldest = socket] = this.#strangers;
      oldest.destroy();
      this.#strangers.delete(oldest);
    }
    if (socket.destroyed) {
      return;
    }
    this.#strangers.add(socket);
    socket.once('close', () => {
      this.#strangers.delete(socket);
      this.#known.delete(socket);
    });
  }
}
