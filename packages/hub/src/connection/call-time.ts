import type { Clock } from '@gemini-mcp/core';

export type CallTimeOptions = {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly deadlineAtMs: number;
  readonly onEnd: () => void;
};

/** A reason of its own: Node makes an error with a stack for an abort without one, for each call. */
const isOver = 'over';

/** The time of one call. */
export class CallTime {
  /** Aborted when the time is over, and when the caller aborts: one for both costs less than a combined one for each call. */
  readonly signal: AbortSignal;
  readonly #options: CallTimeOptions;
  readonly #caller: AbortSignal;
  readonly #ending = new AbortController();
  #heardAtMs = 0;

  constructor(options: CallTimeOptions, caller: AbortSignal) {
    this.#options = options;
    this.#caller = caller;
    this.signal = this.#ending.signal;
    this.heard();
    caller.addEventListener('abort', this.#forward, { once: true });
    if (caller.aborted) {
      this.#forward();
    }
  }

  /** When it is over, unless there is a sign of life before. */
  get overAtMs(): number {
    const { timeoutMs, deadlineAtMs } = this.#options;
    return Math.min(this.#heardAtMs + timeoutMs, deadlineAtMs);
  }

  /** The server has given a sign of life. */
  heard(): void {
    this.#heardAtMs = this.#options.clock.now();
  }

  /** The time is over. */
  expire(): void {
    this.#ending.abort(isOver);
    this.end();
  }

  /** The call is over. */
  end(): void {
    this.#caller.removeEventListener('abort', this.#forward);
    this.#options.onEnd();
  }

  readonly #forward = (): void => this.#ending.abort(this.#caller.reason);
}
