import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { encodeMessage } from './encode-message.ts';

/** Short enough that everything else in this process goes on as if nothing were written. */
const sliceMs = 5;

type Letter = {
  readonly slices: Iterable<Buffer>;
  /** Harmless when told again. */
  readonly onDropped: () => void;
};

/**
 * Writes messages to a stream one after the other, a large one slice by slice, as fast as the reader takes it and with air
 * for everything else in between. A stream that breaks drops what is not wholly written, and is no error to anybody else.
 */
export class AcpOutbox {
  readonly #stdin: Writable;
  #letters: Letter[] = [];
  #isWriting = false;
  #isClosed = false;
  /** Ends the wait for the reader. */
  #wake: (() => void) | undefined;

  constructor(stdin: Writable) {
    this.#stdin = stdin;
    // For good: a write that was under way may fail long after the end.
    stdin.on('error', () => this.close());
    stdin.on('close', () => this.close());
    stdin.on('drain', () => this.#wake?.());
  }

  /** Messages that are not wholly written. */
  get waiting(): number {
    return this.#letters.length;
  }

  /**
   * `onDropped` is told, perhaps more than once, when the message will not reach the other side whole. Throws what
   * JSON.stringify throws.
   */
  send(message: Readonly<Record<string, unknown>>, onDropped: () => void): void {
    if (this.#isClosed || !this.#stdin.writable) {
      onDropped();
      return;
    }
    this.#letters.push({ slices: encodeMessage(message), onDropped });
    if (!this.#isWriting) {
      void this.#writeAll();
    }
  }

  /** Nothing is written from here on; what was not wholly written is dropped. The stream itself stays as it is. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
    for (const { onDropped } of this.#letters.splice(0)) {
      onDropped();
    }
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    for (let letter = this.#letters[0]; letter !== undefined; letter = this.#letters[0]) {
      await this.#write(letter);
      this.#letters.shift();
    }
    this.#isWriting = false;
  }

  async #write({ slices, onDropped }: Letter): Promise<void> {
    const onWritten = (error?: Error | null) => {
      if (error) {
        onDropped();
      }
    };
    let endsAtMs = performance.now() + sliceMs;
    for (const slice of slices) {
      if (this.#isClosed || !this.#stdin.writable) {
        this.close();
        return;
      }
      if (!this.#stdin.write(slice, onWritten)) {
        await this.#whenDrained();
        endsAtMs = performance.now() + sliceMs;
      } else if (performance.now() > endsAtMs) {
        await nextTurn();
        endsAtMs = performance.now() + sliceMs;
      }
    }
  }

  async #whenDrained(): Promise<void> {
    if (!this.#isClosed && this.#stdin.writableNeedDrain) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
