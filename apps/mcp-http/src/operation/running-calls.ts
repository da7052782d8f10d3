/** The calls that are under way, so that somebody can end them, and wait for the last of them. */
export class RunningCalls {
  readonly #running = new Map<AbortController, Promise<unknown>>();

  /** Runs a call with a signal that is aborted when `signal` is, and when all calls are to end. */
  async run<Result>(work: (signal: AbortSignal) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) {
      abort();
    }
    const running = work(controller.signal);
    this.#running.set(controller, running);
    try {
      return await running;
    } finally {
      signal.removeEventListener('abort', abort);
      this.#running.delete(controller);
    }
  }

  abort(): void {
    for (const controller of this.#running.keys()) {
      controller.abort();
    }
  }

  /** Resolves when those that run now have ended. Never rejects. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}
