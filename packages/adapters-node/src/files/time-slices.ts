// The global of this name is a getter, and by far the slower one where it is asked for each file.
import { performance } from 'node:perf_hooks';
import type { Clock } from '@gemini-mcp/core';

/** Long enough that turns of the event loop cost nothing beside the work, short enough that nobody waits for one. */
const sliceMs = 10;

export type TimeSlicesOptions = {
  readonly clock: Clock;
  readonly deadlineAtMs: number;
};

/** Cuts synchronous work into slices between which the event loop turns. */
export class TimeSlices {
  readonly #clock: Clock;
  readonly #deadlineAtMs: number;
  readonly #signal: AbortSignal;
  // Fairness to the rest of the process is measured in real time, also where a test owns the clock.
  #startedAt = performance.now();

  constructor({ clock, deadlineAtMs }: TimeSlicesOptions, signal: AbortSignal) {
    this.#clock = clock;
    this.#deadlineAtMs = deadlineAtMs;
    this.#signal = signal;
  }

  /** Whether to `await next()` before going on. */
  get isUsedUp(): boolean {
    return performance.now() - this.#startedAt >= sliceMs;
  }

  get isPastDeadline(): boolean {
    return this.#clock.now() >= this.#deadlineAtMs;
  }

  /** Lets the event loop turn. Rejects with `signal.reason` when that brought an abort. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.throwIfAborted();
    this.#startedAt = performance.now();
  }

  throwIfAborted(): void {
    this.#signal.throwIfAborted();
  }
}
