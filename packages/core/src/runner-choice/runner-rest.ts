import type { Clock } from '../ports/clock.ts';
import { type EndedRun, tellsNothing } from './tells-nothing.ts';

/** One can be an accident of the moment; each further one costs a caller the time of a start that comes to nothing. */
const unavailableRunsBeforeRest = 2;
/** Long enough that a missing mode costs next to nothing, short enough that an update of what is missing is noticed. */
const restMs = 5 * 60_000;

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
  record(run: EndedRun): void {
    if (run.end.type === 'failure' && run.end.failure.kind === 'runner-unavailable') {
      this.#recordUnavailable();
    } else if (!tellsNothing(run)) {
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
