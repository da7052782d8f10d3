/** Hands values from callbacks to one consumer, in order, without ever making the callbacks wait. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  get isClosed(): boolean {
    return this.#closed;
  }

  push(...values: readonly T[]): void {
    this.#values.push(...values);
    this.#wake?.();
  }

  /** The consumer ends after what is in the queue. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.#values.length > 0) {
        yield* this.#values.splice(0);
      }
      if (this.#closed) {
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
