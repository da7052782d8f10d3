type Waiter = { readonly count: number; readonly resolve: () => void };

/** Counts arrivals, and resolves waiters once a number is reached. */
export class Arrivals {
  #arrived = 0;
  #waiters: readonly Waiter[] = [];

  come(): void {
    this.#arrived += 1;
    for (const { count, resolve } of this.#waiters) {
      if (count <= this.#arrived) {
        resolve();
      }
    }
    this.#waiters = this.#waiters.filter(({ count }) => count > this.#arrived);
  }

  /** Resolves once that many have arrived since the start. */
  whenCame(count: number): Promise<void> {
    return new Promise((resolve) => {
      if (count <= this.#arrived) {
        resolve();
      } else {
        this.#waiters = [...this.#waiters, { count, resolve }];
      }
    });
  }
}
