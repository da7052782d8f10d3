import { join } from 'node:path';

/** When what happened in a run of the Gemini CLI, in milliseconds since the epoch. */
export type RunMoments = {
  /** The run's directory was begun. */
  readonly directory: number;
  /** The process began to execute Node. */
  readonly process: number;
  /** Its first event: it is ready and about to ask. */
  readonly ready: number;
  /** Its last event: the answer is whole. */
  readonly answered: number;
};

/** The same of one prompt in a process that stays, which leaves a line for each. */
export type PromptMoments = {
  /** The first bytes of the prompt came in. */
  readonly received: number;
  /** The first piece of the answer was there, and about to be said; 0 where there was none. */
  readonly spoke: number;
  /** The answer was whole, and about to be said. */
  readonly replied: number;
};

/** Where a run leaves its moments: found by the home directory, the one thing of ours that a run is told. */
export function placeOfMoments(home: string): string {
  return join(home, 'run-moments.json');
}

/** Milliseconds since the epoch, finer than `Date.now()`. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}
