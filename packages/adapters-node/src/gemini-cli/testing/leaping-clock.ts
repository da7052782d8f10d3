import type { Clock } from '@gemini-mcp/core';
import { SystemClock } from '../../clock/system-clock.ts';

type Sleeper = { readonly wakesAtMs: number; readonly wake: () => void };

/** The machine's clock, which a test can make go forward at once: a deadline is met when the test wants it, and not before. */
export class LeapingClock implements Clock {
  readonly #system = new SystemClock();
  readonly #sleepers = new Set<Sleeper>();
  #leaptMs = 0;

  /** How many sleeps are under way. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  now(): number {
    return this.#system.now() + this.#leaptMs;
  }

  async sleep(durationMs: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const sleeper = { wakesAtMs: this.now() + durationMs, wake: () => woken.abort() };
    this.#sleepers.add(sleeper);
    try {
      await this.#system.sleep(durationMs, AbortSignal.any([signal, woken.signal]));
    } catch (error) {
      if (!woken.signal.aborted) {
        throw error;
      }
    } finally {
      this.#sleepers.delete(sleeper);
    }
  }

  leap(durationMs: number): void {
    this.#leaptMs += durationMs;
    for (const { wakesAtMs, wake } of this.#sleepers) {
      if (wakesAtMs <= this.now()) {
        wake();
      }
    }
  }
}
