import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Short enough not to delay other work in this process. */
const sliceMs = 5;

type Letter = {
  readonly slices: Iterable<Buffer>;
  /** May be called more than once. */
  readonly onDropped: () => void;
};

/**
 * Writes messages to a stream in order, a large one slice by slice, as fast as the reader takes them. If the stream breaks, drops the
 * messages that are not completely written.
 */
export class AcpOutbox {
  readonly #stdin: Writable;
  #letters: Letter[] = [];
  #isWriting = false;
  #isClosed = false;
  #wake: (() => void) | undefined;

  constructor(stdin: Writable) {
    this.#stdin = stdin;
    // Stays attached: a pending write may fail long after the end.
    stdin.on('error', () => this.close());
    stdin.on('close', () => this.close());
    stdin.on('drain', () => this.#wake?.());
  }

  /** The number of messages that are not completely written. */
  get waiting(): number {
    return this.#letters.length;
  }

  /** Calls `onDropped`, possibly more than once, if the message will not arrive whole. Throws what JSON.stringify throws. */
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

  /** Stops writing; drops the messages that are not completely written. Leaves the stream itself as it is. */
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

/** Encodes in a millisecond or two, whatever its characters. */
const maxSliceBytes = 262_144;

/** `\u0000`: the longest JSON form of a character. */
const maxBytesPerEscapedUnit = 6;
const maxBytesPerUnit = 3;

/** Shorter strings cost less together with their surroundings than as separate pieces. */
const longStringUnits = 4_096;

/**
 * The line of `message`, byte for byte as JSON.stringify produces it, in slices of at most 256 KiB. Encodes long strings when the reader
 * requests their slice. Throws what JSON.stringify throws, before the first slice.
 */
export function encodeMessage(message: Readonly<Record<string, unknown>>): Iterable<Buffer> {
  const longStrings: string[] = [];
  // Generated after all text exists, so no text can contain it.
  const placeholder = randomUUID();
  const frame = JSON.stringify(message, (_name, value: unknown) => {
    if (typeof value !== 'string' || value.length <= longStringUnits) {
      return value;
    }
    longStrings.push(value);
    return placeholder;
  });
  return encodeSlices(`${frame}\n`.split(placeholder), longStrings);
}

function* encodeSlices(frameParts: readonly string[], longStrings: readonly string[]): Iterable<Buffer> {
  for (const [index, part] of frameParts.entries()) {
    for (const piece of cut(part, Math.floor(maxSliceBytes / maxBytesPerUnit))) {
      yield Buffer.from(piece);
    }
    for (const piece of cut(longStrings[index] ?? '', Math.floor(maxSliceBytes / maxBytesPerEscapedUnit))) {
      yield Buffer.from(JSON.stringify(piece).slice(1, -1));
    }
  }
}

function* cut(text: string, maxUnits: number): Iterable<string> {
  let start = 0;
  while (start < text.length) {
    const end = cutsPair(text, start + maxUnits) ? start + maxUnits - 1 : start + maxUnits;
    yield text.slice(start, end);
    start = end;
  }
}

/** Each half of a pair would be escaped on its own. */
function cutsPair(text: string, at: number): boolean {
  return at < text.length && isSurrogate(text.charCodeAt(at - 1), 0xd800) && isSurrogate(text.charCodeAt(at), 0xdc00);
}

function isSurrogate(unit: number, firstOfHalf: 0xd800 | 0xdc00): boolean {
  return unit >= firstOfHalf && unit < firstOfHalf + 0x400;
}
