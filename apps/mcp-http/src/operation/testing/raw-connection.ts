import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** The client's end of a connection that sends exactly the given bytes. */
export class RawConnection {
  readonly #socket: Socket;
  readonly #waiting = new Set<() => void>();
  #received = '';
  #isClosed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (piece: string) => {
      this.#received += piece;
      this.#tell();
    });
    // The received bytes show the outcome.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#isClosed = true;
      this.#tell();
    });
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  get received(): string {
    return this.#received;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves when it is sent, or never can be. */
  send(data: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isClosed) {
        resolve();
        return;
      }
      // If a breaking connection reported it at once, a sender in a loop would never let it break.
      this.#socket.write(data, () => setImmediate(resolve));
    });
  }

  /** Resolves to everything received, once it contains `text` or the connection is closed. */
  async until(text: string): Promise<string> {
    while (!this.#received.includes(text) && !this.#isClosed) {
      await this.#news();
    }
    return this.#received;
  }

  /** Resolves to everything received, once the connection is closed. */
  async closed(): Promise<string> {
    while (!this.#isClosed) {
      await this.#news();
    }
    return this.#received;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
    });
  }

  #tell(): void {
    for (const wake of this.#waiting) {
      wake();
    }
    this.#waiting.clear();
  }
}
