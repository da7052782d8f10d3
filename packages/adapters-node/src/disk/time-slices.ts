// The global `performance` is a getter, and far slower when it is read for each file.
import { performance } from 'node:perf_hooks';
import type { Clock } from '@gemini-mcp/core';

/** Long enough that turns of the event loop cost little next to the work, short enough that other calls do not wait. */
const sliceMs = 5;

/** Longer work yields to others: after each further slice it rests for as long as the slice took. */
const hurryMs = 100;

/** Work on a single large file yields from the first slice on, for twice as long: it is rare and costs the most. */
const restsOfHeavyWork = 2;

export type TimeSlicesOptions = {
  readonly clock: Clock;
  readonly deadlineAtMs: number;
};

/** Splits synchronous work into slices between which the event loop turns. */
export class TimeSlices {
  readonly #clock: Clock;
  readonly #deadlineAtMs: number;
  readonly #signal: AbortSignal;
  // Fairness to the rest of the process is measured in real time, even if a test owns the clock.
  #startedAt = performance.now();
  #workedMs = 0;

  constructor({ clock, deadlineAtMs }: TimeSlicesOptions, signal: AbortSignal) {
    this.#clock = clock;
    this.#deadlineAtMs = deadlineAtMs;
    this.#signal = signal;
  }

  /** Whether to `await next()` before continuing. */
  get isUsedUp(): boolean {
    return performance.now() - this.#startedAt >= sliceMs;
  }

  /** The time of its own slices, without rests and the slices of other calls. */
  get workedMs(): number {
    return this.#workedMs + performance.now() - this.#startedAt;
  }

  get isPastDeadline(): boolean {
    return this.#clock.now() >= this.#deadlineAtMs;
  }

  /** Runs work that yields after each small piece. Resolves to its result, or to null at the deadline. Rejects with `signal.reason`. */
  async run<Result>(steps: Generator<undefined, Result>): Promise<Result | null> {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) {
        return step.value;
      }
      if (this.isUsedUp) {
        await this.next({ isHeavy: true });
        if (this.isPastDeadline) {
          return null;
        }
      }
    }
  }

  /** Lets the event loop turn. Rejects with `signal.reason` if the signal aborted meanwhile. */
  async next({ isHeavy = false }: { readonly isHeavy?: boolean } = {}): Promise<void> {
    const tookMs = performance.now() - this.#startedAt;
    this.#workedMs += tookMs;
    const rests = isHeavy ? restsOfHeavyWork : Number(this.#workedMs > hurryMs);
    await turnInLine(Math.min(rests * tookMs, maxRestMs));
    this.throwIfAborted();
    this.#startedAt = performance.now();
  }

  throwIfAborted(): void {
    this.#signal.throwIfAborted();
  }
}

/** One slice that took far too long, as on a busy machine, must not cause a long rest. */
const maxRestMs = 20;

type Waiting = { readonly resume: () => void; readonly restMs: number };

const inLine: Waiting[] = [];

/**
 * Resolves after a rest, in a later turn of the event loop, and for one caller at a time: however many calls work in slices, all other work
 * waits for one slice at most, not one per call, and has the loop for itself during a rest.
 */
function turnInLine(restMs: number): Promise<void> {
  return new Promise((resume) => {
    inLine.push({ resume, restMs });
    if (inLine.length === 1) {
      scheduleFirst();
    }
  });
}

function scheduleFirst(): void {
  const [first] = inLine;
  if (first === undefined) {
    return;
  }
  const resume = (): void => {
    inLine.shift();
    first.resume();
    scheduleFirst();
  };
  if (first.restMs > 0) {
    setTimeout(resume, first.restMs);
  } else {
    setImmediate(resume);
  }
}
