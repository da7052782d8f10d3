import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@gemini-mcp/core';

type Sleeper = { readonly wakesAtMs: number; readonly wake: () => void };

/** The longest delay of a Node timer: a longer one fires at once. */
const longestTimerMs = 2_147_483_647;

/** The machine's clock with leaps: a test decides when a deadline passes. */
export class LeapingClock implements Clock {
  readonly #sleepers = new Set<Sleeper>();
  #leaptMs = 0;

  /** The number of current sleeps. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  now(): number {
    return Date.now() + this.#leaptMs;
  }

  async sleep(durationMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const woken = new AbortController();
    const sleeper = { wakesAtMs: this.now() + durationMs, wake: () => woken.abort() };
    this.#sleepers.add(sleeper);
    try {
      const ended = AbortSignal.any([signal, woken.signal]);
      for (let leftMs = Math.max(durationMs, 0); leftMs >= 0; leftMs -= longestTimerMs) {
        await delay(Math.min(leftMs, longestTimerMs), undefined, { signal: ended });
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!woken.signal.aborted) {
        throw error;
      }
    } finally {
      this.#sleepers.delete(sleeper);
    }
  }

  /** Advances the time and wakes the sleeps that end by then. */
  leap(durationMs: number): void {
    this.#leaptMs += durationMs;
    for (const { wakesAtMs, wake } of this.#sleepers) {
      if (wakesAtMs <= this.now()) {
        wake();
      }
    }
  }
}
