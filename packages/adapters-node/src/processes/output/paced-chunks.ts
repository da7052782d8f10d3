import { setImmediate as nextTurn } from 'node:timers/promises';

/** Short enough that the rest of this process is not disturbed. */
const sliceMs = 10;

/** Small enough that even the costliest lines of one piece fit into a slice. */
const pieceBytes = 8_192;

/**
 * Accepts chunks as fast as they arrive and reads them in pieces, one time slice per turn of the event loop: a pipe delivers megabytes in a
 * turn, and reading them at once would block everything else.
 */
export class PacedChunks {
  readonly #read: (piece: Buffer) => void;
  #waiting: Buffer[] = [];
  #reading: Promise<void> | undefined;

  /** `read` gets the pieces in order and must not throw. */
  constructor(read: (piece: Buffer) => void) {
    this.#read = read;
  }

  push(chunk: Buffer): void {
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      this.#waiting.push(chunk.subarray(start, start + pieceBytes));
    }
    this.#reading ??= this.#readAll();
  }

  /** Discards unread chunks. */
  clear(): void {
    this.#waiting = [];
  }

  /** Resolves when everything pushed before has been read. */
  async whenRead(): Promise<void> {
    await this.#reading;
  }

  async #readAll(): Promise<void> {
    do {
      await nextTurn();
      this.#readSlice();
    } while (this.#waiting.length > 0);
    this.#reading = undefined;
  }

  #readSlice(): void {
    const endsAtMs = performance.now() + sliceMs;
    do {
      const piece = this.#waiting.shift();
      if (piece === undefined) {
        return;
      }
      this.#read(piece);
    } while (performance.now() < endsAtMs);
  }
}
