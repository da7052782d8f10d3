import type { Clock } from '@gemini-mcp/core';
import { hasSlept } from '@gemini-mcp/core/internal';
import { CallTime } from './call-time.ts';

export type CallTimesOptions = {
  readonly clock: Clock;
  /** How long a call may be without a sign of life. */
  readonly timeoutMs: number;
};

/**
 * The time of each call of a server: silence is limited, and so is the whole. One timer watches all calls, and is seldom set again: calls are
 * quick, and their ends far off.
 */
export class CallTimes {
  readonly #options: CallTimesOptions;
  readonly #calls = new Set<CallTime>();
  /** Since when the server waits for its user; null if it does not. */
  #askingSinceMs: number | null = null;
  #isClosed = false;
  /** What wakes the timer before its time; null where none runs. */
  #wake: AbortController | null = null;
  #wakesAtMs = 0;

  constructor(options: CallTimesOptions) {
    this.#options = options;
  }

  /** How many calls run. */
  get size(): number {
    return this.#calls.size;
  }

  /** A call begins. It is over at its deadline in any case, and when the caller aborts. */
  begin(deadlineAtMs: number, caller: AbortSignal): CallTime {
    const { clock, timeoutMs } = this.#options;
    const call = new CallTime({ clock, timeoutMs, deadlineAtMs, onEnd: () => this.#calls.delete(call) }, caller);
    this.#calls.add(call);
    if (this.#wake === null) {
      void this.#watch();
    } else if (this.#overAt(call) < this.#wakesAtMs) {
      this.#wake.abort();
    }
    return call;
  }

  /** The server waits for its user, or does not any more: the time between does not count as silence. */
  setAsking(isAsking: boolean): void {
    const sinceMs = this.#askingSinceMs;
    if (sinceMs !== null) {
      for (const call of this.#calls) {
        call.resume(sinceMs);
      }
    }
    this.#askingSinceMs = isAsking ? this.#options.clock.now() : null;
    this.#wake?.abort();
  }

  /** No call begins any more. Those that run have to be ended in another way. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.abort();
  }

  async #watch(): Promise<void> {
    const { clock } = this.#options;
    while (this.#calls.size > 0 && !this.#isClosed) {
      this.#wake = new AbortController();
      this.#wakesAtMs = Math.min(...[...this.#calls].map((call) => this.#overAt(call)));
      await hasSlept(clock, this.#wakesAtMs - clock.now(), this.#wake.signal);
      this.#endLate();
    }
    this.#wake = null;
  }

  #endLate(): void {
    const now = this.#options.clock.now();
    for (const call of this.#calls) {
      if (this.#overAt(call) <= now) {
        call.expire();
      }
    }
  }

  #overAt(call: CallTime): number {
    return this.#askingSinceMs === null ? call.overAtMs : call.deadlineAtMs;
  }
}
