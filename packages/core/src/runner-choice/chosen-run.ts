import type { GeminiRunner, RunEnd, RunEvent } from '../ports/gemini-runner.ts';
import type { ChoiceReason } from './choice-reason.ts';
import type { RunnerPreference } from './choose-runner.ts';
import type { RunnerRest } from './runner-rest.ts';

/** A runner that may carry a request. */
export type Candidate = Pick<GeminiRunner, 'capabilities'> & {
  readonly runner: GeminiRunner;
  readonly rest: RunnerRest;
};

/** Why a runner is given a request, and what the one before it told. */
export type Given = { readonly reason: ChoiceReason; readonly detail?: string };

export type ChosenRunOptions = {
  /** Who is to be tried, the first one first. */
  readonly order: readonly { readonly candidate: Candidate; readonly reason: ChoiceReason }[];
  readonly preference: RunnerPreference;
  /** Told each time before a runner is given the request. */
  readonly onGiven: (candidate: Candidate, given: Given) => void;
};

/** One request on its way through the runners that may carry it. */
export class ChosenRun {
  readonly #options: ChosenRunOptions;
  #position = 0;
  /** Why the next runner is tried after the first; null where none is. */
  #handOver: Given | null = null;
  #wasSeen = false;
  /** Notices, until there is anything else: those of a run that is handed over are lost. */
  #held: RunEvent[] = [];

  constructor(options: ChosenRunOptions) {
    this.#options = options;
  }

  /** Who is to carry the request now; undefined when no one else is to be asked. */
  next(): GeminiRunner | undefined {
    const turn = this.#options.order[this.#position];
    const given = this.#position === 0 ? turn : this.#handOver;
    if (turn === undefined || given == null) {
      return undefined;
    }
    this.#position += 1;
    this.#handOver = null;
    this.#held = [];
    this.#options.onGiven(turn.candidate, {
      reason: given.reason,
      ...('detail' in given && { detail: given.detail }),
    });
    return turn.candidate.runner;
  }

  /** What the consumer is told after an event of the runner: nothing of a run that the next runner takes over. */
  take(event: RunEvent): readonly RunEvent[] {
    if (event.type === 'answer' || event.type === 'failure') {
      this.#handOver = this.#finish(event);
      return this.#handOver === null ? [...this.#held.splice(0), event] : [];
    }
    if (event.type === 'status') {
      // A caller wants to know now why it waits, even if the next runner takes over.
      return [event];
    }
    this.#wasSeen ||= event.type !== 'notice';
    this.#held.push(event);
    return this.#wasSeen ? this.#held.splice(0) : [];
  }

  #finish(end: RunEnd): Given | null {
    const { order } = this.#options;
    order[this.#position - 1]?.candidate.rest.record({ end, wasSeen: this.#wasSeen });
    return this.#wasSeen || this.#position === order.length ? null : this.#reasonToGoOn(end);
  }

  #reasonToGoOn(end: RunEnd): Given | null {
    const failure = end.type === 'failure' ? end.failure : null;
    if (failure?.kind === 'unsupported') {
      return { reason: 'refused', detail: failure.feature };
    }
    if (this.#options.preference === 'auto' && failure?.kind === 'runner-unavailable') {
      return { reason: 'unavailable', detail: failure.excerpt };
    }
    return null;
  }
}
