import { visibleText } from '../api-chunk.ts';
import { isObject } from '../json-object.ts';

/** An answer has a few parts. If a stream has a huge number of pieces, the first ones are enough to locate them. */
const maxStarts = 1_000;

/**
 * The visible text of an answer, and where its parts begin. The API counts offsets within a part of the whole answer, but a stream does
 * not show parts: it sends a part in pieces, each as a part of its own.
 */
export class VisibleParts {
  #text = '';
  #lastKind: string | null = null;
  /** Counts consecutive pieces of the same kind as one part. */
  readonly #joined: number[] = [];
  /** Counts each piece as a part, as in an answer that arrives at once. */
  readonly #single: number[] = [];

  get text(): string {
    return this.#text;
  }

  add(parts: readonly unknown[]): void {
    for (const part of parts) {
      const kind = kindOf(part);
      const isNew = kind !== this.#lastKind || kind === 'other';
      this.#lastKind = kind;
      addWithin(this.#single, this.#text.length);
      if (isNew) {
        addWithin(this.#joined, this.#text.length);
      }
      this.#text += visibleText(part);
    }
  }

  /** The possible beginnings of the part with that index, the most likely first. */
  startsOf(index: number): readonly number[] {
    const starts = [this.#joined[index], this.#single[index], 0].filter((start) => start !== undefined);
    return [...new Set(starts)];
  }
}

function addWithin(starts: number[], start: number): void {
  if (starts.length < maxStarts) {
    starts.push(start);
  }
}

function kindOf(part: unknown): 'thought' | 'text' | 'other' {
  if (!isObject(part) || typeof part['text'] !== 'string') {
    return 'other';
  }
  return part['thought'] === true ? 'thought' : 'text';
}
