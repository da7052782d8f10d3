type Turn<T> = {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  members: number;
};

/**
 * One task for all who want its result at the same time. It goes on as long as anybody waits for it, and is aborted when
 * the last one has gone.
 */
export class SharedTask<T> {
  readonly #perform: (signal: AbortSignal) => Promise<T>;
  #turn: Turn<T> | undefined;

  constructor(perform: (signal: AbortSignal) => Promise<T>) {
    this.#perform = perform;
  }

  /**
   * Starts the task, or joins those who wait for it, and resolves to its result. Resolves to null when `signal` is aborted
   * first: at once, or for the last one to go when the task has ended.
   */
  async join(signal: AbortSignal): Promise<T | null> {
    if (signal.aborted) {
      return null;
    }
    this.#turn ??= this.#start();
    const turn = this.#turn;
    turn.members += 1;
    const departure = new AbortController();
    const gone = new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => resolve(null), { once: true, signal: departure.signal });
    });
    try {
      return await Promise.race([turn.result, gone]);
    } finally {
      departure.abort();
      turn.members -= 1;
      if (turn.members === 0) {
        await this.#end(turn);
      }
    }
  }

  #start(): Turn<T> {
    const controller = new AbortController();
    const result = this.#perform(controller.signal).finally(() => this.#forget(turn));
    const turn: Turn<T> = { result, controller, members: 0 };
    return turn;
  }

  async #end(turn: Turn<T>): Promise<void> {
    this.#forget(turn);
    turn.controller.abort();
    await turn.result.catch(() => undefined);
  }

  #forget(turn: Turn<T>): void {
    if (this.#turn === turn) {
      this.#turn = undefined;
    }
  }
}
