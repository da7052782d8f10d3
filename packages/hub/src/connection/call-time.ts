import type { Clock } from '@gemini-mcp/core';
import { hasSlept } from '@gemini-mcp/core/internal';

export type CallTimeOptions = {
  readonly clock: Clock;
  /** How long the call may be without a sign of life. */
  readonly timeoutMs: number;
  /** When it is over in any case. */
  readonly deadlineAtMs: number;
  /** Whether the server waits for its user: that time does not count as silence. */
  readonly isAsking: () => boolean;
};

/** A reason of its own: Node makes an error with a stack for an abort without one, for each call. */
const isOver = 'over';

/** The time of one call: silence is limited, and so is the whole. */
export class CallTime {
  /** Aborted when the time is over, and when the caller aborts: one for both costs less than a combined one for each call. */
  readonly signal: AbortSignal;
  readonly #options: CallTimeOptions;
  readonly #caller: AbortSignal;
  readonly #ending = new AbortController();
  readonly #over = new AbortController();
  #heardAtMs: number;

  constructor(options: CallTimeOptions, caller: AbortSignal) {
    this.#options = options;
    this.#caller = caller;
    this.signal = this.#ending.signal;
    this.#heardAtMs = options.clock.now();
    caller.addEventListener('abort', this.#forward, { once: true });
    if (caller.aborted) {
      this.#forward();
    }
    void this.#watch();
  }

  /** The server has given a sign of life. */
  heard(): void {
    this.#heardAtMs = this.#options.clock.now();
  }

  /** The call is over. */
  end(): void {
    this.#caller.removeEventListener('abort', this.#forward);
    this.#over.abort(isOver);
  }

  readonly #forward = (): void => this.#ending.abort(this.#caller.reason);

  async #watch(): Promise<void> {
    const { clock, timeoutMs, deadlineAtMs, isAsking } = this.#options;
    for (;;) {
      const now = clock.now();
      if (isAsking()) {
        this.#heardAtMs = now;
      }
      const restMs = Math.min(this.#heardAtMs + timeoutMs, deadlineAtMs) - now;
      if (restMs <= 0) {
        this.#ending.abort(isOver);
        return;
      }
      if (!(await hasSlept(clock, restMs, this.#over.signal))) {
        return;
      }
    }
  }
}
