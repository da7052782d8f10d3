import type { Clock, GeminiFailure } from '@gemini-mcp/core';

export type RunLimitsOptions = { readonly clock: Clock; readonly deadlineAtMs: number; readonly signal: AbortSignal };

/** Ends a run at its deadline, when the caller gives it up, and when its consumer has gone. */
export class RunLimits {
  readonly #options: RunLimitsOptions;
  readonly #over = new AbortController();
  readonly #abort = (): void => this.#over.abort();
  readonly #sleep: Promise<void>;

  constructor(options: RunLimitsOptions) {
    this.#options = options;
    const { clock, deadlineAtMs, signal } = options;
    const remainingMs = deadlineAtMs - clock.now();
    if (signal.aborted || remainingMs <= 0) {
      this.#abort();
    }
    signal.addEventListener('abort', this.#abort, { once: true });
    this.#sleep = this.#over.signal.aborted
      ? Promise.resolve()
      : clock.sleep(remainingMs, this.#over.signal).then(this.#abort, this.#abort);
  }

  /** Aborted when the run is over. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Why the run had to end; null where it did not have to. */
  get failure(): GeminiFailure | null {
    if (this.#options.signal.aborted) {
      return { kind: 'cancelled' };
    }
    return this.#over.signal.aborted ? { kind: 'timeout' } : null;
  }

  /** Resolves when no timer and no listener is left, and closes the connection where it is still open. */
  async end(): Promise<void> {
    this.#options.signal.removeEventListener('abort', this.#abort);
    this.#abort();
    await this.#sleep;
  }
}
