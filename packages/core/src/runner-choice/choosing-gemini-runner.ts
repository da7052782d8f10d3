import type { Clock } from '../ports/clock.ts';
import type { GeminiRunner, RunEnd, RunEvent, RunnerCapabilities, RunRequest } from '../ports/gemini-runner.ts';
import { type ChoiceReason, choiceTexts } from './choice-reason.ts';
import { chooseRunner, type RunnerPreference, rankRunners } from './choose-runner.ts';
import { combineCapabilities } from './combine-capabilities.ts';
import { RunnerRest } from './runner-rest.ts';

/** Which runner a request was given to, and why. Nothing in it comes from the request. */
export type RunnerChoice = {
  /** The name that the runner declares. */
  readonly runner: string;
  readonly reason: ChoiceReason;
  /** The reason in words of ours, one line. */
  readonly text: string;
  /**
   * What the runner before it told: the feature that it refused, or why it could not be had, which can be text from strangers,
   * capped and redacted by that runner.
   */
  readonly detail?: string;
};

export type ChoosingGeminiRunnerOptions = {
  readonly clock: Clock;
  /** At least one that the preference wants: a warm one for `warm`, one that is not for `headless`. */
  readonly runners: readonly GeminiRunner[];
  readonly preference: RunnerPreference;
  /** Told each time before a runner is given a request; must not throw. */
  readonly onChoice?: (choice: RunnerChoice) => void;
};

type Candidate = Pick<GeminiRunner, 'capabilities'> & {
  readonly runner: GeminiRunner;
  readonly rest: RunnerRest;
};

type HandOver = Pick<RunnerChoice, 'reason' | 'detail'>;

type CarriedRun = {
  /** Undefined where the runner ended without one, which its port forbids. */
  readonly end: RunEnd | undefined;
  /** Whether the consumer has seen anything of the run. */
  readonly wasSeen: boolean;
  /** What the runner had to say of the run before there was anything else of it, and the consumer has not seen. */
  readonly notices: readonly RunEvent[];
};

/**
 * Carries each request by the runner that suits it best, and by the next one where that one refused it as unsupported, or (with
 * `auto` alone) could not be had, and nothing of it had been yielded yet but notices, which are lost then: the next one has its own. A runner that could not be had twice in a row is passed
 * over for five minutes, with `auto`.
 *
 * `capabilities` are what any of the runners that the preference admits can carry. The deadline and the abort are those of the
 * request, whoever carries it. Throws when the preference wants a runner that is not there.
 */
export class ChoosingGeminiRunner implements GeminiRunner {
  readonly capabilities: RunnerCapabilities;
  readonly #preference: RunnerPreference;
  readonly #candidates: readonly Candidate[];
  readonly #onChoice: (choice: RunnerChoice) => void;

  constructor({ clock, runners, preference, onChoice = () => undefined }: ChoosingGeminiRunnerOptions) {
    const admitted = rankRunners(runners, preference);
    const [preferred] = admitted;
    if (preferred === undefined || (preference === 'warm' && !preferred.capabilities.warmStart)) {
      throw new Error(`None of the runners is one for the preference '${preference}'.`);
    }
    const declared = admitted.map(({ capabilities }) => capabilities);
    this.capabilities = preference === 'headless' ? preferred.capabilities : combineCapabilities(preference, declared);
    this.#preference = preference;
    this.#candidates = admitted.map((runner) => ({
      runner,
      capabilities: runner.capabilities,
      rest: new RunnerRest({ clock }),
    }));
    this.#onChoice = onChoice;
  }

  async *run(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const order = this.#order(request);
    let handOver: HandOver | null = null;
    for (const [position, { candidate, reason }] of order.entries()) {
      this.#tell(candidate, handOver ?? { reason });
      const { end, wasSeen, notices }: CarriedRun = yield* carry(candidate, request, signal);
      if (end === undefined) {
        yield* notices;
        return;
      }
      const isLast = position === order.length - 1;
      handOver = isLast || wasSeen ? null : this.#handOver(end);
      if (handOver === null) {
        yield* notices;
        yield end;
        return;
      }
    }
  }

  #order(request: RunRequest): readonly { readonly candidate: Candidate; readonly reason: ChoiceReason }[] {
    const candidates = this.#candidates.map((candidate) => ({ ...candidate, isResting: candidate.rest.isResting }));
    return chooseRunner({ request, preference: this.#preference, candidates });
  }

  #tell({ capabilities }: Candidate, { reason, ...more }: HandOver): void {
    this.#onChoice({ runner: capabilities.name, reason, text: choiceTexts[reason], ...more });
  }

  /** Why the next runner is to be tried after this end; null where it stands. */
  #handOver(end: RunEnd): HandOver | null {
    const failure = end.type === 'failure' ? end.failure : null;
    if (failure?.kind === 'unsupported') {
      return { reason: 'refused', detail: failure.feature };
    }
    if (this.#preference === 'auto' && failure?.kind === 'runner-unavailable') {
      return { reason: 'unavailable', detail: failure.excerpt };
    }
    return null;
  }
}

/** Passes on everything but the end, which it returns, and notices before anything else. */
async function* carry(
  { runner, rest }: Candidate,
  request: RunRequest,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, CarriedRun> {
  let wasSeen = false;
  const notices: RunEvent[] = [];
  for await (const event of runner.run(request, signal)) {
    if (event.type === 'answer' || event.type === 'failure') {
      rest.record({ end: event, wasSeen });
      return { end: event, wasSeen, notices };
    }
    if (event.type === 'notice' && !wasSeen) {
      notices.push(event);
    } else {
      wasSeen = true;
      yield* notices.splice(0);
      yield event;
    }
  }
  return { end: undefined, wasSeen, notices };
}
