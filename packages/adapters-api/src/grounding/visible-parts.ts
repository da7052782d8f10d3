import { visibleText } from '../api-chunk.ts';
import { isObject } from '../json-object.ts';

/** An answer has a few parts. Of a stream of very many pieces, the first ones are enough to tell them. */
const maxStarts = 1_000;

/**
 * The visible text of an answer, and where its parts begin. The API counts places within a part of the whole answer, which
 * nothing in a stream tells: it sends a part in pieces, each as a part of its own.
 */
export class VisibleParts {
  #text = '';
  #lastKind: string | null = null;
  /** Pieces of the same kind that follow each other taken for one part. */
  readonly #joined: number[] = [];
  /** Each piece taken for a part, as an answer has them that comes at once. */
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

  /** Where the part of that index may begin, the likeliest place first. */
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
