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

/** The time of one call: silence is limited, and so is the whole. */
export class CallTime {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
  readonly #options: CallTimeOptions;
  readonly #late = new AbortController();
  readonly #over = new AbortController();
  #heardAtMs: number;

  constructor(options: CallTimeOptions) {
    this.#options = options;
    this.signal = this.#late.signal;
    this.#heardAtMs = options.clock.now();
    void this.#watch();
  }

  /** The server has given a sign of life. */
  heard(): void {
    this.#heardAtMs = this.#options.clock.now();
  }

  /** The call is over. */
  end(): void {
    this.#over.abort();
  }

  async #watch(): Promise<void> {
    const { clock, timeoutMs, deadlineAtMs, isAsking } = this.#options;
    for (;;) {
      const now = clock.now();
      if (isAsking()) {
        this.#heardAtMs = now;
      }
      const restMs = Math.min(this.#heardAtMs + timeoutMs, deadlineAtMs) - now;
      if (restMs <= 0) {
        this.#late.abort();
        return;
      }
      if (!(await hasSlept(clock, restMs, this.#over.signal))) {
        return;
      }
    }
  }
}
