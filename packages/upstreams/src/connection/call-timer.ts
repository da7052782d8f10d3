import { setMaxListeners } from 'node:events';
import type { Clock } from '@gemini-mcp/core';
import { sleepUnlessAborted } from '@gemini-mcp/core/internal';

export type CallTimerOptions = {
  readonly clock: Clock;
  /** How long a call may be silent. */
  readonly timeoutMs: number;
};

/** A timed call. `signal` aborts when its time is up or its caller aborts. */
export type TimedCall = {
  readonly signal: AbortSignal;
  /** Reports a sign of life from the server. */
  readonly heard: () => void;
  /** Ends the timing. */
  readonly end: () => void;
};

type Timing = { readonly deadlineAtMs: number; heardAtMs: number; readonly expire: () => void };

/** Limits the silence and the total time of each call of a server. One timer serves all calls, because they rarely time out. */
export class CallTimer {
  readonly #options: CallTimerOptions;
  readonly #calls = new Set<Timing>();
  /** When the server began to wait for its user, or null. */
  #askingSinceMs: number | null = null;
  #isClosed = false;
  /** Wakes the timer early; null if no timer runs. */
  #wake: AbortController | null = null;
  #wakesAtMs = 0;

  constructor(options: CallTimerOptions) {
    this.#options = options;
  }

  /** The number of running calls. */
  get size(): number {
    return this.#calls.size;
  }

  /** Starts timing a call. `signal` aborts at the deadline at the latest. */
  begin(deadlineAtMs: number, caller: AbortSignal): TimedCall {
    const { clock } = this.#options;
    const ending = new AbortController();
    // The cancellation carries the reason to the server.
    const abort = (): void => ending.abort('The caller no longer needs the answer.');
    const timing: Timing = { deadlineAtMs, heardAtMs: clock.now(), expire: abort };
    this.#calls.add(timing);
    // A run may make many calls at once with one signal; Node would print a warning at the eleventh listener.
    setMaxListeners(0, caller);
    caller.addEventListener('abort', abort, { once: true });
    if (caller.aborted) {
      abort();
    }
    if (this.#wake === null) {
      void this.#watch();
    } else if (this.#endOf(timing) < this.#wakesAtMs) {
      this.#wake.abort();
    }
    const heard = (): void => {
      timing.heardAtMs = clock.now();
    };
    const end = (): void => {
      caller.removeEventListener('abort', abort);
      this.#calls.delete(timing);
    };
    return { signal: ending.signal, heard, end };
  }

  /** Pauses the silence limit while the server waits for its user. That time is neither silence nor a sign of life. */
  setAsking(isAsking: boolean): void {
    const { clock } = this.#options;
    const sinceMs = this.#askingSinceMs;
    if (sinceMs !== null) {
      for (const call of this.#calls) {
        call.heardAtMs = clock.now() - Math.max(0, sinceMs - call.heardAtMs);
      }
    }
    this.#askingSinceMs = isAsking ? clock.now() : null;
    this.#wake?.abort();
  }

  /** Stops the timer. Does not end running calls. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.abort();
  }

  async #watch(): Promise<void> {
    const { clock } = this.#options;
    while (this.#calls.size > 0 && !this.#isClosed) {
      this.#wake = new AbortController();
      this.#wakesAtMs = Math.min(...[...this.#calls].map((call) => this.#endOf(call)));
      await sleepUnlessAborted(clock, this.#wakesAtMs - clock.now(), this.#wake.signal);
      for (const call of this.#calls) {
        if (this.#endOf(call) <= clock.now()) {
          this.#calls.delete(call);
          call.expire();
        }
      }
    }
    this.#wake = null;
  }

  #endOf({ heardAtMs, deadlineAtMs }: Timing): number {
    return this.#askingSinceMs === null ? Math.min(heardAtMs + this.#options.timeoutMs, deadlineAtMs) : deadlineAtMs;
  }
}
