import type { FailureKind } from '../failure/gemini-failure.ts';
import type { Clock } from '../ports/clock.ts';
import type { RunEnd } from '../ports/gemini-runner.ts';

/** One can be an accident of the moment; each further one costs a caller the time of a start that comes to nothing. */
const unavailableRunsBeforeRest = 2;
/** Long enough that a missing mode costs next to nothing, short enough that an update of what is missing is noticed. */
const restMs = 5 * 60_000;

/** Ends that come before a runner is needed, or that its caller brought about: they do not tell whether it could have been had. */
const endsThatTellNothing: ReadonlySet<FailureKind> = new Set([
  'cancelled',
  'timeout',
  'unsupported',
  'context-too-large',
  'directory-refused',
  'cli-missing',
  'sandbox-missing',
  'configuration',
  'resources-exhausted',
]);

export type EndedRun = {
  readonly end: RunEnd;
  /** Whether anything of it had been yielded but notices. */
  readonly wasSeen: boolean;
};

/** Remembers how often a runner could not be had lately: after two times in a row it rests for five minutes. */
export class RunnerRest {
  readonly #clock: Clock;
  #unavailableRuns = 0;
  #untilMs = 0;

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  get isResting(): boolean {
    return this.#clock.now() < this.#untilMs;
  }

  /** Takes note of a run that has ended. */
  record({ end, wasSeen }: EndedRun): void {
    const kind = end.type === 'failure' ? end.failure.kind : null;
    if (kind === 'runner-unavailable') {
      this.#recordUnavailable();
    } else if (kind === null || wasSeen || !endsThatTellNothing.has(kind)) {
      this.#unavailableRuns = 0;
      this.#untilMs = 0;
    }
  }

  #recordUnavailable(): void {
    // Runs that began before the rest must not make it longer.
    if (this.isResting) {
      return;
    }
    this.#unavailableRuns += 1;
    if (this.#unavailableRuns >= unavailableRunsBeforeRest) {
      this.#unavailableRuns = 0;
      this.#untilMs = this.#clock.now() + restMs;
    }
  }
}
