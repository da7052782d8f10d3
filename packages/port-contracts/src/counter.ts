/** Counts, and resolves waiters once a count is reached. */
export class Counter {
  #count = 0;
  #waiting: readonly { readonly count: number; readonly tell: () => void }[] = [];

  add(): void {
    this.#count += 1;
    for (const { count, tell } of this.#waiting) {
      if (count <= this.#count) {
        tell();
      }
    }
    this.#waiting = this.#waiting.filter(({ count }) => count > this.#count);
  }

  /** Resolves once the count is reached. */
  when(count: number): Promise<void> {
    return new Promise((resolve) => {
      if (count <= this.#count) {
        resolve();
        return;
      }
      this.#waiting = [...this.#waiting, { count, tell: resolve }];
    });
  }
}
