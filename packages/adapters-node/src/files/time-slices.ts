// The global of this name is a getter, and by far the slower one where it is asked for each file.
import { performance } from 'node:perf_hooks';
import type { Clock } from '@gemini-mcp/core';

/** Long enough that turns of the event loop cost nothing beside the work, short enough that nobody waits for one. */
const sliceMs = 5;

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

  /** Of the clock. */
  get nowMs(): number {
    return this.#clock.now();
  }

  get isPastDeadline(): boolean {
    return this.#clock.now() >= this.#deadlineAtMs;
  }

  /**
   * Runs work that yields after each small piece to its end, and resolves to what it comes to; to null at the deadline.
   * Rejects with `signal.reason`.
   */
  async run<Result>(steps: Generator<undefined, Result>): Promise<Result | null> {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) {
        return step.value;
      }
      if (this.isUsedUp) {
        await this.next();
        if (this.isPastDeadline) {
          return null;
        }
      }
    }
  }

  /** Lets the event loop turn. Rejects with `signal.reason` when that brought an abort. */
  async next(): Promise<void> {
    await turnInLine();
    this.throwIfAborted();
    this.#startedAt = performance.now();
  }

  throwIfAborted(): void {
    this.#signal.throwIfAborted();
  }
}

const inLine: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop, and for one only in each turn: however many calls work in slices, whatever else
 * there is to do waits for one slice and not for one of each.
 */
function turnInLine(): Promise<void> {
  return new Promise((resolve) => {
    inLine.push(resolve);
    if (inLine.length === 1) {
      setImmediate(resumeFirst);
    }
  });
}

function resumeFirst(): void {
  const resume = inLine.shift();
  if (inLine.length > 0) {
    setImmediate(resumeFirst);
  }
  resume?.();
}
