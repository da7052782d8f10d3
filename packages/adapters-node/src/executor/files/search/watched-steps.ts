import { createContext, Script } from 'node:vm';
import type { TimeSlices } from '../../../files/time-slices.ts';

/** Longest time that a few lines may take: it holds the thread for so long. */
const watchMs = 100;

/** So many lines are matched under one watch, which costs some 0.2 ms. */
const stepsPerWatch = 256;

export type StepsEnd<Result> = { readonly ok: true; readonly result: Result } | { readonly ok: false };

type Held = { run: () => void };

/**
 * Runs work on lines in slices, each piece of it under a watch: a regular expression that backtracks without end is stopped, and the work with it.
 * Not `ok` then. Rejects on abort.
 */
export class WatchedSteps {
  readonly #slices: TimeSlices;
  readonly #held: Held = { run: () => undefined };
  readonly #context = createContext(this.#held);
  readonly #script = new Script('run()');

  constructor(slices: TimeSlices) {
    this.#slices = slices;
  }

  async run<Result>(steps: Generator<undefined, Result>, isWatched: boolean): Promise<StepsEnd<Result>> {
    for (;;) {
      const end = isWatched ? this.#watch(() => advance(steps)) : advance(steps);
      if (end === 'over-time') {
        return { ok: false };
      }
      if (end !== null) {
        return { ok: true, result: end.result };
      }
      if (this.#slices.isUsedUp) {
        await this.#slices.next();
      }
    }
  }

  #watch<Result>(work: () => Result): Result | 'over-time' {
    let result: Result | 'over-time' = 'over-time';
    this.#held.run = (): void => {
      result = work();
    };
    try {
      this.#script.runInContext(this.#context, { timeout: watchMs });
      return result;
    } catch (error) {
      // Of another realm than this one's errors.
      const code: unknown = Object(error).code;
      if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
        return 'over-time';
      }
      throw error;
    }
  }
}

/** Takes some steps; null when there are more. */
function advance<Result>(steps: Generator<undefined, Result>): { readonly result: Result } | null {
  for (let count = 0; count < stepsPerWatch; count += 1) {
    const step = steps.next();
    if (step.done === true) {
      return { result: step.value };
    }
  }
  return null;
}
