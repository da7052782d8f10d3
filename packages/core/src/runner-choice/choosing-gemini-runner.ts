import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { Clock } from '../ports/clock.ts';
import type { GeminiRunner } from '../ports/gemini-runner/gemini-runner.ts';
import type { ChoiceReason, HandledBy, RunEnd, RunEvent } from '../ports/gemini-runner/run-event.ts';
import type { RunNeeds, RunRequest } from '../ports/gemini-runner/run-request.ts';
import { plainRunSettings } from '../ports/gemini-runner/run-settings.ts';
import type { RunnerCapabilities } from '../ports/gemini-runner/runner-capabilities.ts';
import type { TokenCount } from '../ports/gemini-runner/token-usage.ts';
import { choiceTexts } from './choice-reason.ts';
import { admitRunners, chooseRunner, isWanted, type RunnerPreference, type RunnerToTry } from './choose-runner.ts';

/** Which runner received a request, and why. Contains nothing from the request. */
export type RunnerChoice = {
  /** The name in the runner's capabilities. */
  readonly runner: string;
  readonly reason: ChoiceReason;
  /** The reason in our own words, on one line. */
  readonly text: string;
  /**
   * From the runner before it: the feature that it refused, or why it was unavailable, possibly as untrusted text that the runner has capped and
   * redacted.
   */
  readonly detail?: string;
};

export type ChoosingGeminiRunnerOptions = {
  readonly clock: Clock;
  /** At least one that the preference wants: a direct one for `api`, a warm one for `warm`, one that is neither for `headless`. */
  readonly runners: readonly GeminiRunner[];
  readonly preference: RunnerPreference;
  /** Called each time before a runner receives a request; must not throw. */
  readonly onChoice?: (choice: RunnerChoice) => void;
};

type Candidate = {
  readonly runner: GeminiRunner;
  readonly capabilities: RunnerCapabilities;
  readonly isResting: boolean;
};

/** Why a runner receives a request, and the detail from the one before it. */
type Given = Pick<RunnerChoice, 'reason' | 'detail'>;

type Rest = { readonly misses: number; readonly untilMs: number };

/** One miss can be an accident; each further one costs a caller the time of a failed start. */
const missesBeforeRest = 2;
/** Long enough that a missing mode costs almost nothing, short enough to notice when it becomes available. */
const restMs = 5 * 60_000;

/**
 * Runs each request with the most suitable runner. If that one refuses it as unsupported, or (only with `auto`) is unavailable, the next one runs it,
 * provided that only statuses and notices have been yielded. Those notices are dropped: the next runner has its own. With `auto`, a runner that was
 * unavailable twice in a row is skipped for five minutes.
 *
 * The end of each run names the runner and why it was chosen. `capabilities` are those of the first runner. The request's deadline and the abort
 * apply to whichever runner carries it. Throws if the preference wants a runner that is missing.
 */
export class ChoosingGeminiRunner implements GeminiRunner {
  readonly capabilities: RunnerCapabilities;
  readonly #clock: Clock;
  readonly #preference: RunnerPreference;
  readonly #runners: readonly GeminiRunner[];
  readonly #rests = new Map<GeminiRunner, Rest>();
  readonly #onChoice: (choice: RunnerChoice) => void;

  constructor({ clock, runners, preference, onChoice = () => undefined }: ChoosingGeminiRunnerOptions) {
    this.#runners = admitRunners(runners, preference);
    const [first] = this.#runners;
    if (first === undefined || !isWanted(first.capabilities, preference)) {
      throw new Error(`None of the runners fits the preference '${preference}'.`);
    }
    this.capabilities = first.capabilities;
    this.#clock = clock;
    this.#preference = preference;
    this.#onChoice = onChoice;
  }

  /** Those of the runner that is expected to carry a request. */
  capabilitiesFor(needs: RunNeeds): RunnerCapabilities {
    const [first] = this.#order({ ...needs, model: '', input: '', deadlineAtMs: 0 });
    return first?.candidate.capabilities ?? this.capabilities;
  }

  async *run(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const order = [...this.#order(request)];
    let given: Given | undefined = order[0];
    for (let next = order.shift(); next !== undefined && given !== undefined; next = order.shift()) {
      const { runner } = next.candidate;
      const isLast = order.length === 0;
      const handledBy = this.#announce(runner, given, request);
      const turn = new Turn(handledBy, (end, wasSeen) => this.#finish(runner, end, wasSeen || isLast));
      for await (const event of runner.run(request, signal)) {
        for (const told of turn.take(event)) {
          yield told;
        }
      }
      given = turn.handOver;
    }
  }

  /** Counts with the runner that is expected to carry the request, and fails as `unsupported` if that one cannot count. */
  async countTokens(request: RunRequest, signal: AbortSignal): Promise<TokenCount> {
    const runner = this.#order(request)[0]?.candidate.runner;
    return runner?.capabilities.tokenCount === true && runner.countTokens !== undefined
      ? runner.countTokens(request, signal)
      : { ok: false, failure: { kind: 'unsupported', feature: 'token-count' } };
  }

  #order(request: RunRequest): readonly RunnerToTry<Candidate>[] {
    const candidates = this.#runners.map((runner) => {
      const isResting = this.#clock.now() < (this.#rests.get(runner)?.untilMs ?? 0);
      return { runner, capabilities: runner.capabilities, isResting };
    });
    return chooseRunner({ request, preference: this.#preference, candidates });
  }

  /** Returns the runner's description for the end of the run. From the request it contains only whether it brought its own key. */
  #announce({ capabilities: { name, backend } }: GeminiRunner, given: Given, request: RunRequest): HandledBy {
    const { reason, detail } = given;
    this.#onChoice({ runner: name, reason, text: choiceTexts[reason], ...(detail !== undefined && { detail }) });
    const { settings = plainRunSettings } = request;
    const ownKey = settings.apiKey !== null && ({ login: 'key of the call' } as const);
    return { runner: name, ...(backend ?? { by: `${name} runner` }), ...ownKey, reason };
  }

  /** Returns why the next runner is asked; undefined if the end is final. */
  #finish(runner: GeminiRunner, end: RunEnd, isFinal: boolean): Given | undefined {
    const failure = end.type === 'failure' ? end.failure : null;
    this.#note(runner, failure);
    if (isFinal) {
      return undefined;
    }
    if (failure?.kind === 'unsupported') {
      return { reason: 'refused', detail: failure.feature };
    }
    return failure?.kind === 'runner-unavailable' && this.#preference === 'auto'
      ? { reason: 'unavailable', detail: failure.excerpt }
      : undefined;
  }

  #note(runner: GeminiRunner, failure: GeminiFailure | null): void {
    const { misses, untilMs } = this.#rests.get(runner) ?? { misses: 0, untilMs: 0 };
    const nowMs = this.#clock.now();
    if (failure === null) {
      this.#rests.delete(runner);
    } else if (failure.kind === 'runner-unavailable' && nowMs >= untilMs) {
      const isEnough = misses + 1 >= missesBeforeRest;
      this.#rests.set(runner, isEnough ? { misses: 0, untilMs: nowMs + restMs } : { misses: misses + 1, untilMs });
    }
  }
}

/** One runner's turn at a request. */
class Turn {
  /** Why the next runner takes over after this one. */
  handOver: Given | undefined;
  readonly #handledBy: HandledBy;
  readonly #onEnd: (end: RunEnd, wasSeen: boolean) => Given | undefined;
  /** Notices held back until any other event. */
  readonly #held: RunEvent[] = [];
  #wasSeen = false;

  constructor(handledBy: HandledBy, onEnd: (end: RunEnd, wasSeen: boolean) => Given | undefined) {
    this.#handledBy = handledBy;
    this.#onEnd = onEnd;
  }

  /** The events to yield for an event of the runner: none of a run that the next runner takes over. */
  take(event: RunEvent): readonly RunEvent[] {
    if (event.type === 'answer' || event.type === 'failure') {
      this.handOver = this.#onEnd(event, this.#wasSeen);
      return this.handOver === undefined ? [...this.#held, { ...event, handledBy: this.#handledBy }] : [];
    }
    if (this.#wasSeen || event.type === 'status') {
      // Callers want to know now why they wait, even if the next runner takes over.
      return [event];
    }
    this.#held.push(event);
    this.#wasSeen = event.type !== 'notice';
    return this.#wasSeen ? this.#held.splice(0) : [];
  }
}
