import { type Context, createContext, Script } from 'node:vm';
import type { TimeSlices } from '../../../files/time-slices.ts';

/** Longest time that a few lines may take: it holds the thread for so long. */
const watchMs = 100;

/** On a busy machine that time passes without any work: then it is tried once more, with more of it. */
const secondWatchMs = 500;

/** So many lines are matched under one watch, which costs some 0.2 ms. */
const stepsPerWatch = 256;

export type StepsEnd<Result> = { readonly ok: true; readonly result: Result } | { readonly ok: false };

type Steps<Result> = Generator<undefined, Result>;

/** What runs under a watch: the script calls `run` of what the context was made of. */
type Watched = { readonly held: { run: () => void }; readonly context: Context; readonly script: Script };

/**
 * Runs work on lines in slices, each piece of it under a watch: a regular expression that backtracks without end is stopped, and the work with it.
 * Not `ok` then. Rejects on abort.
 */
export class WatchedSteps {
  readonly #slices: TimeSlices;
  /** Made for the first watch: most searches need none, and it costs more than they do. */
  #watched: Watched | null = null;

  constructor(slices: TimeSlices) {
    this.#slices = slices;
  }

  /** `begin` makes the steps from the beginning. */
  async run<Result>(begin: () => Steps<Result>, isWatched: boolean): Promise<StepsEnd<Result>> {
    if (!isWatched) {
      return this.#runSteps(begin(), advance);
    }
    const startedAt = processorMs();
    const first = await this.#runSteps(begin(), (steps) => this.#watch(() => advance(steps), watchMs));
    const hasWorked = processorMs() - startedAt > watchMs / 2;
    return first.ok || hasWorked
      ? first
      : this.#runSteps(begin(), (steps) => this.#watch(() => advance(steps), secondWatchMs));
  }

  async #runSteps<Result>(
    steps: Steps<Result>,
    take: (steps: Steps<Result>) => { readonly result: Result } | null | 'over-time',
  ): Promise<StepsEnd<Result>> {
    for (;;) {
      const end = take(steps);
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

  #watch<Result>(work: () => Result, timeout: number): Result | 'over-time' {
    let result: Result | 'over-time' = 'over-time';
    this.#watched ??= createWatched();
    const { held, context, script } = this.#watched;
    held.run = (): void => {
      result = work();
    };
    try {
      script.runInContext(context, { timeout });
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
function advance<Result>(steps: Steps<Result>): { readonly result: Result } | null {
  for (let count = 0; count < stepsPerWatch; count += 1) {
    const step = steps.next();
    if (step.done === true) {
      return { result: step.value };
    }
  }
  return null;
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function createWatched(): Watched {
  const held = { run: (): void => undefined };
  return { held, context: createContext(held), script: new Script('run()') };
}
