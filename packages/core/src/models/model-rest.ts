import type { Attempt } from '../answers/ask-result.ts';
import type { FailureKind } from '../failure/gemini-failure.ts';
import { modelsForOpinion, type OpinionPlace } from '../fallback/model-chain.ts';
import type { Clock } from '../ports/clock.ts';
import type { ModelChain } from '../ports/gemini-runner/runner-capabilities.ts';
import { countOf } from '../text/format-count.ts';

/** Long enough that a model which a key cannot use costs almost nothing, short enough to notice a change of plan. */
const restMs = 15 * 60_000;
/** Callers choose model names freely: the number of names must be bounded. */
const maxRests = 100;
const minuteMs = 60_000;

/** Failures that the next call would get as well, with their texts. */
const reasons: ReadonlyMap<FailureKind, string> = new Map([
  ['quota-exhausted', 'its quota was used up, or the plan does not include it'],
  ['model-not-found', 'this login did not find it'],
]);

type Rest = { readonly sinceMs: number; readonly reason: string };

type CallOfChain = {
  /** Best first. */
  readonly chain: ModelChain;
  /** The runner whose login is used; null for one without memory. */
  readonly runnerName: string | null;
  /** Which of several answers the call gives; missing for a single one. */
  readonly opinion?: OpinionPlace | undefined;
};

/**
 * Remembers for 15 minutes which models a runner's login could not use, so that not every call begins with a request that is known to fail: a free
 * key has no quota for the best models. These move to the end of the chain, as a last resort.
 */
export class ModelRest {
  readonly #clock: Clock;
  readonly #rests = new Map<string, Rest>();

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  /** Records an attempt that has just ended. */
  record({ model, failure }: Attempt, runnerName: string | null): void {
    if (runnerName === null) {
      return;
    }
    const key = keyOf(runnerName, model);
    const reason = failure === null ? undefined : reasons.get(failure.kind);
    if (reason !== undefined) {
      this.#rests.delete(key);
      this.#rests.set(key, { sinceMs: this.#clock.now(), reason });
      this.#forgetOldest();
    } else if (failure === null) {
      this.#rests.delete(key);
    }
  }

  /** The chain with the resting models at its end, and in the order for its place if it is one of several answers. */
  order({ chain, runnerName, opinion }: CallOfChain): ModelChain {
    const rests = (model: string): boolean => this.#restOf(runnerName, model) !== null;
    const awake = chain.filter((model) => !rests(model));
    const ordered = opinion === undefined ? awake : modelsForOpinion(awake, opinion);
    const [first = chain[0], ...others] = [...ordered, ...chain.filter(rests)];
    return [first, ...others];
  }

  /** A sentence for each model that is better than the one that answered and was skipped. */
  describe({
    chain,
    runnerName,
    attempts,
  }: CallOfChain & { readonly attempts: readonly Attempt[] }): readonly string[] {
    const asked = attempts.map(({ model }) => model);
    const better = chain.slice(0, chain.indexOf(asked.at(-1) ?? ''));
    return better.flatMap((model) => {
      const rest = this.#restOf(runnerName, model);
      return rest === null || asked.includes(model) ? [] : [this.#sentence(model, rest)];
    });
  }

  #sentence(model: string, { sinceMs, reason }: Rest): string {
    const minutes = Math.floor((this.#clock.now() - sinceMs) / minuteMs);
    const when = minutes === 0 ? 'less than a minute ago' : `${countOf(minutes, 'minute')} ago`;
    return `${model} was not asked: ${when} ${reason}. It is tried first again when ${restMs / minuteMs} minutes have passed.`;
  }

  #restOf(runnerName: string | null, model: string): Rest | null {
    const rest = runnerName === null ? undefined : this.#rests.get(keyOf(runnerName, model));
    return rest === undefined || this.#clock.now() >= rest.sinceMs + restMs ? null : rest;
  }

  #forgetOldest(): void {
    const [oldest] = this.#rests.keys();
    if (oldest !== undefined && this.#rests.size > maxRests) {
      this.#rests.delete(oldest);
    }
  }
}

function keyOf(runnerName: string, model: string): string {
  return `${runnerName} ${model}`;
}
