import { setImmediate as nextTurn } from 'node:timers/promises';

/** Short enough that everything else in this process goes on as if nothing were read. */
const sliceMs = 10;

/** Small enough that even the dearest lines of one piece fit into a slice. */
const pieceBytes = 8_192;

/**
 * Takes chunks as fast as they come and has them read in pieces, a slice of time in each turn of the event loop: a pipe
 * delivers megabytes in a turn, and to read them at once would hold up everything else.
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

  /** Forgets what has not been read. */
  clear(): void {
    this.#waiting = [];
  }

  /** Resolves when everything has been read that was pushed before. */
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
