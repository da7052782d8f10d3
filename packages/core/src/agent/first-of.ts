import type { Counted } from './work-account.ts';

/** Keeps the first entries of a list that may grow without end, and their number. */
export class FirstOf<Entry> {
  readonly #max: number;
  readonly #first: Entry[] = [];
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(entry: Entry): void {
    this.#count += 1;
    if (this.#first.length < this.#max) {
      this.#first.push(entry);
    }
  }

  /** As they are now. */
  get counted(): Counted<Entry> {
    return { first: [...this.#first], count: this.#count };
  }
}
