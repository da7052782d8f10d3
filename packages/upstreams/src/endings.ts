/** Work that ends by itself, and that shutdown waits for. The promises must not reject. */
export class Endings {
  readonly #running = new Set<Promise<void>>();

  get size(): number {
    return this.#running.size;
  }

  add(ending: Promise<void>): void {
    const ended = ending.then(() => {
      this.#running.delete(ended);
    });
    this.#running.add(ended);
  }

  /** Resolves once all work added so far has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}
