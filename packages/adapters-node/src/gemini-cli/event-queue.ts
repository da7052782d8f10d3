/** Passes values from callbacks to one consumer, in order, without making the callbacks wait. */
export class EventQueue<T> implements AsyncIterableIterator<T> {
  readonly #values: T[] = [];
  #batch: Iterator<T> = [].values();
  #closed = false;
  #wake: (() => void) | undefined;

  push(...values: readonly T[]): void {
    this.#values.push(...values);
    this.#wake?.();
  }

  /** The consumer ends after it has read the queued values. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  // Not a generator: each piece of an answer passes through here.
  async next(): Promise<IteratorResult<T, undefined>> {
    for (;;) {
      const step = this.#batch.next();
      if (step.done !== true) {
        return step;
      }
      if (this.#values.length > 0) {
        this.#batch = this.#values.splice(0).values();
      } else if (this.#closed) {
        return { done: true, value: undefined };
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
