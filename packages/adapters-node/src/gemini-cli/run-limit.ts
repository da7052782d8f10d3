import type { Clock } from '@gemini-mcp/core';
import { sleepUnlessAborted } from '@gemini-mcp/core/internal';

export type RunLimitOptions = {
  readonly clock: Clock;
  readonly deadlineAtMs: number;
};

/** The external reasons to end a run: the deadline, the caller's abort, or the loss of its consumer; the first one wins. */
export class RunLimit {
  readonly #reached = new AbortController();
  readonly #released = new AbortController();
  readonly #sleeping: Promise<void>;
  #termination: 'cancelled' | 'timed-out' = 'cancelled';

  constructor({ clock, deadlineAtMs }: RunLimitOptions, signal: AbortSignal) {
    const durationMs = deadlineAtMs - clock.now();
    if (signal.aborted) {
      this.cancel();
    } else if (durationMs <= 0) {
      this.#reach('timed-out');
    }
    signal.addEventListener('abort', () => this.cancel(), { once: true, signal: this.#released.signal });
    this.#sleeping = sleepUnlessAborted(clock, durationMs, this.#released.signal).then((isOver) =>
      isOver ? this.#reach('timed-out') : undefined,
    );
  }

  /** Aborted when the run reaches the limit. */
  get signal(): AbortSignal {
    return this.#reached.signal;
  }

  /** The reason that came first; `cancelled` until then. */
  get termination(): 'cancelled' | 'timed-out' {
    return this.#termination;
  }

  get failure(): { readonly kind: 'cancelled' | 'timeout' } {
    return { kind: this.#termination === 'cancelled' ? 'cancelled' : 'timeout' };
  }

  cancel(): void {
    this.#reach('cancelled');
  }

  /** Removes the timer and the listener. */
  async release(): Promise<void> {
    this.#released.abort();
    await this.#sleeping;
  }

  #reach(termination: 'cancelled' | 'timed-out'): void {
    if (!this.#reached.signal.aborted) {
      this.#termination = termination;
      this.#reached.abort();
    }
  }
}
