import type { GeminiRunner, RunEnd, RunEvent, RunRequest } from '../ports/gemini-runner.ts';
import { carriedBy } from './carried-by.ts';
import type { ChoiceReason } from './choice-reason.ts';
import type { MissingCli } from './missing-cli.ts';
import type { RunnerPreference } from './rank-runners.ts';
import type { RunnerRest } from './runner-rest.ts';

/** A runner that may carry a request. */
export type Candidate = Pick<GeminiRunner, 'capabilities'> & {
  readonly runner: GeminiRunner;
  readonly rest: RunnerRest;
  /** What is known of the CLI that it runs; null where it asks the API itself. */
  readonly missingCli: MissingCli | null;
};

/** Why a runner is given a request, and what the one before it told. */
export type Given = { readonly reason: ChoiceReason; readonly detail?: string };

export type Turn = { readonly candidate: Candidate; readonly reason: ChoiceReason };

export type ChosenRunOptions = {
  readonly request: RunRequest;
  /** Who is to be tried, the first one first. */
  readonly order: readonly Turn[];
  readonly preference: RunnerPreference;
  /** Told each time before a runner is given the request. */
  readonly onGiven: (candidate: Candidate, given: Given) => void;
};

/** One request on its way through the runners that may carry it. */
export class ChosenRun {
  readonly #options: ChosenRunOptions;
  /** Of the next turn. */
  #position = 0;
  /** Why the next runner is tried after the first; null where none is. */
  #handOver: Given | null = null;
  /** Whose turn it is, and why. */
  #current: (Turn & Given) | undefined;
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
    const { reason } = given;
    this.#position += 1;
    this.#current = { ...turn, reason };
    this.#handOver = null;
    this.#held = [];
    this.#options.onGiven(turn.candidate, { reason, ...('detail' in given && { detail: given.detail }) });
    return turn.candidate.runner;
  }

  /** What the consumer is told after an event of the runner: nothing of a run that the next runner takes over. */
  take(event: RunEvent): readonly RunEvent[] {
    if (event.type === 'answer' || event.type === 'failure') {
      this.#handOver = this.#finish(event);
      return this.#handOver === null ? [...this.#held.splice(0), this.#sign(event)] : [];
    }
    if (event.type === 'status') {
      // A caller wants to know now why it waits, even if the next runner takes over.
      return [event];
    }
    this.#wasSeen ||= event.type !== 'notice';
    this.#held.push(event);
    return this.#wasSeen ? this.#held.splice(0) : [];
  }

  #sign(end: RunEnd): RunEnd {
    return this.#current === undefined
      ? end
      : { ...end, carriedBy: carriedBy({ ...this.#current, request: this.#options.request }) };
  }

  #finish(end: RunEnd): Given | null {
    const run = { end, wasSeen: this.#wasSeen };
    this.#current?.candidate.rest.record(run);
    this.#current?.candidate.missingCli?.record(run);
    return this.#wasSeen || this.#position === this.#options.order.length ? null : this.#reasonToGoOn(end);
  }

  #reasonToGoOn(end: RunEnd): Given | null {
    const failure = end.type === 'failure' ? end.failure : null;
    if (failure?.kind === 'unsupported') {
      return { reason: 'refused', detail: failure.feature };
    }
    if (this.#options.preference !== 'auto') {
      return null;
    }
    if (failure?.kind === 'runner-unavailable') {
      return { reason: 'unavailable', detail: failure.excerpt };
    }
    return failure?.kind === 'cli-missing' ? this.#passOverClis(failure.detail) : null;
  }

  /** The others that run the CLI would look for it in vain as well. */
  #passOverClis(detail: string): Given | null {
    const { order } = this.#options;
    const next = order.findIndex(({ candidate }, index) => index >= this.#position && candidate.missingCli === null);
    if (next < 0) {
      return null;
    }
    this.#position = next;
    return { reason: 'cli-missing', detail };
  }
}
