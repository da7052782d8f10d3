import type { RunOutcome } from '../failure/run-outcome.ts';
import type { Clock } from '../ports/clock.ts';

/** One can be an accident of the moment; each further one costs a caller the time of a start that comes to nothing. */
const unavailableRunsBeforeRest = 2;
/** Long enough that a missing mode costs next to nothing, short enough that an update of the CLI is noticed. */
const restMs = 5 * 60_000;

/** Whether an outcome tells that its way of running cannot be had now, whatever is asked. */
export function isUnavailable({ termination, startError }: RunOutcome): boolean {
  return termination === 'not-started' && startError?.code === 'runner-unavailable';
}

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
  record(outcome: RunOutcome): void {
    if (isUnavailable(outcome)) {
      this.#recordUnavailable();
    } else if (outcome.termination === 'exited' || outcome.sawEvents) {
      this.#unavailableRuns = 0;
      this.#untilMs = 0;
    }
    // Any other end, such as a refusal or an early abort, does not tell whether the runner could have been had.
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
