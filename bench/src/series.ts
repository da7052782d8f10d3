/** Figures of one kind, as they are measured. */
export class Series {
  readonly #figures: number[] = [];

  add(figure: number): void {
    this.#figures.push(figure);
  }

  get isEmpty(): boolean {
    return this.#figures.length === 0;
  }

  /** The middle one, or the mean of the two in the middle. Throws a `RangeError` while there is none. */
  get median(): number {
    const sorted = [...this.#figures].sort((a, b) => a - b);
    const upper = sorted[Math.floor(sorted.length / 2)];
    const lower = sorted[Math.floor((sorted.length - 1) / 2)];
    if (upper === undefined || lower === undefined) {
      throw new RangeError('There is no median of nothing');
    }
    return (upper + lower) / 2;
  }
}
