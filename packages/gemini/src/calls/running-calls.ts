/** The calls of one `Gemini`, which end with it. */
export class RunningCalls {
  readonly #calls = new Map<AbortController, Promise<unknown>>();
  #isClosed = false;

  /** Runs a call under the caller's signal and our own. Rejects at once after `close`. */
  async run<Result>(
    call: (signal: AbortSignal) => Promise<Result>,
    callerSignal: AbortSignal | undefined,
  ): Promise<Result> {
    if (this.#isClosed) {
      throw new Error('This Gemini was closed. Call createGemini() for another one.');
    }
    // Not AbortSignal.any: Node 20 retains its result for the lifetime of the caller's signal.
    const own = new AbortController();
    const abort = (): void => own.abort(callerSignal?.reason);
    if (callerSignal?.aborted) {
      abort();
    }
    callerSignal?.addEventListener('abort', abort, { once: true });
    const running = call(own.signal);
    this.#calls.set(own, running);
    try {
      return await running;
    } finally {
      this.#calls.delete(own);
      callerSignal?.removeEventListener('abort', abort);
    }
  }

  /** Cancels all calls. Resolves when they have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const calls = [...this.#calls];
    for (const [own] of calls) {
      own.abort();
    }
    await Promise.allSettled(calls.map(([, running]) => running));
  }
}
