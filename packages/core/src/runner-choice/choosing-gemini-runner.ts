import type { Clock } from '../ports/clock.ts';
import type { GeminiRunner, RunEvent, RunNeeds, RunnerCapabilities, RunRequest } from '../ports/gemini-runner.ts';
import type { TokenCount } from '../ports/token-count.ts';
import { type ChoiceReason, choiceTexts } from './choice-reason.ts';
import { chooseRunner, type RunnerCandidate, type RunnerToTry } from './choose-runner.ts';
import { type Candidate, ChosenRun } from './chosen-run.ts';
import { combineCapabilities } from './combine-capabilities.ts';
import { MissingCli } from './missing-cli.ts';
import { meetsPreference, type RunnerPreference, rankRunners } from './rank-runners.ts';
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
  /** At least one that the preference wants: a direct one for `api`, a warm one for `warm`, one that is neither for `headless`. */
  readonly runners: readonly GeminiRunner[];
  readonly preference: RunnerPreference;
  /** Told each time before a runner is given a request; must not throw. */
  readonly onChoice?: (choice: RunnerChoice) => void;
};

/**
 * Carries each request by the runner that suits it best, and by the next one where that one refused it as unsupported, or (with
 * `auto` alone) could not be had, and nothing of it had been yielded yet but statuses and notices. The notices are lost then: the next
 * one has its own. With `auto`, a runner that could not be had twice in a row is passed over for five minutes, and those that run the
 * Gemini CLI for a minute after a run that found none.
 *
 * The end of each run says by which runner it came, and why by that one.
 *
 * `capabilities` are what any of the runners that the preference admits can carry. The deadline and the abort are those of the
 * request, whichever runner carries it. Throws when the preference wants a runner that is not there.
 */
export class ChoosingGeminiRunner implements GeminiRunner {
  readonly capabilities: RunnerCapabilities;
  readonly #preference: RunnerPreference;
  readonly #candidates: readonly Candidate[];
  readonly #missingCli: MissingCli;
  readonly #onChoice: (choice: RunnerChoice) => void;

  constructor({ clock, runners, preference, onChoice = () => undefined }: ChoosingGeminiRunnerOptions) {
    const admitted = rankRunners(runners, preference);
    const [preferred] = admitted;
    if (preferred === undefined || !meetsPreference(admitted, preference)) {
      throw new Error(`None of the runners is one for the preference '${preference}'.`);
    }
    const declared = admitted.map(({ capabilities }) => capabilities);
    this.capabilities = preference === 'headless' ? preferred.capabilities : combineCapabilities(preference, declared);
    this.#preference = preference;
    this.#missingCli = new MissingCli({ clock });
    this.#candidates = admitted.map((runner) => ({
      runner,
      capabilities: runner.capabilities,
      rest: new RunnerRest({ clock }),
      missingCli: runner.capabilities.direct === true ? null : this.#missingCli,
    }));
    this.#onChoice = onChoice;
  }

  /** Those of the runner that is expected to carry a request. */
  capabilitiesFor(needs: RunNeeds): RunnerCapabilities {
    const [first] = this.#foresee({ ...needs, model: '', input: '', deadlineAtMs: 0 });
    return first?.candidate.capabilities ?? this.capabilities;
  }

  async *run(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const run = this.#choose(request);
    for (let runner = run.next(); runner !== undefined; runner = run.next()) {
      for await (const event of runner.run(request, signal)) {
        for (const told of run.take(event)) {
          yield told;
        }
      }
    }
  }

  /** Counts by the runner that is expected to carry the request, and fails as `unsupported` where that one cannot count. */
  async countTokens(request: RunRequest, signal: AbortSignal): Promise<TokenCount> {
    const [first] = this.#foresee(request);
    const runner = first?.candidate.runner;
    return runner?.capabilities.tokenCount === true && runner.countTokens !== undefined
      ? runner.countTokens(request, signal)
      : { ok: false, failure: { kind: 'unsupported', feature: 'token-count' } };
  }

  #choose(request: RunRequest): ChosenRun {
    return new ChosenRun({
      request,
      order: this.#order(request, this.#missingCli.isSurelyMissing),
      preference: this.#preference,
      onGiven: ({ capabilities: { name } }, { reason, ...more }) =>
        this.#onChoice({ runner: name, reason, text: choiceTexts[reason], ...more }),
    });
  }

  /** Leaves out a missing CLI until a run has found one. Else each search in vain would bring a request that was made for the CLI. */
  #foresee(request: RunRequest): readonly RunnerToTry<Candidate & RunnerCandidate>[] {
    return this.#order(request, this.#missingCli.isMissing);
  }

  #order(request: RunRequest, isWithoutCli: boolean): readonly RunnerToTry<Candidate & RunnerCandidate>[] {
    const passedOver = ({ rest, missingCli }: Candidate): RunnerCandidate['passedOver'] => {
      if (isWithoutCli && missingCli !== null) {
        return 'cli-missing';
      }
      return rest.isResting ? 'resting' : null;
    };
    const candidates = this.#candidates.map((candidate) => ({ ...candidate, passedOver: passedOver(candidate) }));
    return chooseRunner({ request, preference: this.#preference, candidates });
  }
}
