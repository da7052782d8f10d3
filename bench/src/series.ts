/** Figures of one kind, as they are measured. */
export class Series {
  readonly #figures: number[] = [];

  add(figure: number): void {
    this.#figures.push(figure);
  }

  get isEmpty(): boolean {
    return this.#figures.length === 0;
  }

  /** Throws a `RangeError` while there is none. */
  get greatest(): number {
    if (this.isEmpty) {
      throw new RangeError('There is no greatest of nothing');
    }
    return Math.max(...this.#figures);
  }

  /** The one that so large a part of all does not exceed. Throws a `RangeError` while there is none. */
  quantile(part: number): number {
    const figure = [...this.#figures].sort((a, b) => a - b)[Math.ceil(part * this.#figures.length) - 1];
    if (figure === undefined) {
      throw new RangeError('There is no quantile of nothing');
    }
    return figure;
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
