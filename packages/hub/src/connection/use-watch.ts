import type { Clock } from '@gemini-mcp/core';
import { hasSlept } from '@gemini-mcp/core/internal';

export type UseWatchOptions = { readonly clock: Clock; readonly idleMs: number };

/** Knows since when something is not used. */
export class UseWatch {
  readonly #options: UseWatchOptions;
  #uses = 0;
  #usedAtMs = 0;

  constructor(options: UseWatchOptions) {
    this.#options = options;
  }

  /** Counts as used while the work is done. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#uses += 1;
    try {
      return await work();
    } finally {
      this.#uses -= 1;
      this.#usedAtMs = this.#options.clock.now();
    }
  }

  /** Resolves to true when it was not used for `idleMs`, counted from now at the earliest; to false as soon as the signal is aborted. */
  async untilIdle(signal: AbortSignal): Promise<boolean> {
    const { clock, idleMs } = this.#options;
    this.#usedAtMs = clock.now();
    for (;;) {
      const restMs = this.#uses > 0 ? idleMs : this.#usedAtMs + idleMs - clock.now();
      if (restMs <= 0) {
        return true;
      }
      if (!(await hasSlept(clock, restMs, signal))) {
        return false;
      }
    }
  }
}
