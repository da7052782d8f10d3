import type { Attempt } from '../answers/ask-result.ts';
import type { FailureKind } from '../failure/gemini-failure.ts';
import type { Clock } from '../ports/clock.ts';

/** A model's recent results. */
export type ModelHealthReport = {
  readonly model: string;
  readonly attempts: number;
  /** Number of `attempts` that ended in an answer. */
  readonly answered: number;
  /** Of the attempts that answered; null if none did. */
  readonly medianDurationMs: number | null;
  /** The last failure, even if answers followed; null if no call failed. */
  readonly lastFailure: { readonly kind: FailureKind; readonly atMs: number } | null;
};

type Observation = {
  readonly atMs: number;
  readonly durationMs: number;
  readonly failure: FailureKind | null;
};

/** Failures of attempts that never reached their model, and say nothing about it. */
const unrelated: ReadonlySet<FailureKind> = new Set([
  'cancelled',
  'busy',
  'cli-missing',
  'cli-outdated',
  'runner-unavailable',
  'configuration',
  'untrusted-workspace',
  'directory-refused',
  'resources-exhausted',
  'sandbox-missing',
  'unsupported',
]);

const recentMs = 3_600_000;
const maxObservations = 50;
/** Callers choose model names freely: the number of names must be bounded. */
const maxModels = 100;

/** Remembers the attempts of the last hour, at most 50 for each of at most 100 models, the most recently asked. */
export class ModelHealth {
  readonly #clock: Clock;
  /** By model, the most recently asked last; the newest observation of each is last. */
  readonly #observations = new Map<string, readonly Observation[]>();

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  /** The models with observations, the most recently asked last. */
  get models(): readonly string[] {
    return [...this.#observations.keys()].filter((model) => this.#recent(model).length > 0);
  }

  /** Records an attempt that has just ended, unless it never reached its model. */
  record({ model, durationMs, failure }: Attempt): void {
    if (failure !== null && unrelated.has(failure.kind)) {
      return;
    }
    const observation = { atMs: this.#clock.now(), durationMs, failure: failure?.kind ?? null };
    const observations = [...this.#recent(model), observation].slice(-maxObservations);
    this.#observations.delete(model);
    this.#observations.set(model, observations);
    const [leastRecent] = this.#observations.keys();
    if (leastRecent !== undefined && this.#observations.size > maxModels) {
      this.#observations.delete(leastRecent);
    }
  }

  /** One report for each model, in the given order, even without observations. */
  report(models: readonly string[]): readonly ModelHealthReport[] {
    return models.map((model) => reportOf(model, this.#recent(model)));
  }

  #recent(model: string): readonly Observation[] {
    const sinceMs = this.#clock.now() - recentMs;
    return (this.#observations.get(model) ?? []).filter(({ atMs }) => atMs > sinceMs);
  }
}

function reportOf(model: string, observations: readonly Observation[]): ModelHealthReport {
  const durationsMs = observations.filter(({ failure }) => failure === null).map(({ durationMs }) => durationMs);
  const [lastFailure = null] = observations
    .flatMap(({ failure, atMs }) => (failure === null ? [] : [{ kind: failure, atMs }]))
    .slice(-1);
  return {
    model,
    attempts: observations.length,
    answered: durationsMs.length,
    medianDurationMs: medianOf(durationsMs),
    lastFailure,
  };
}

/** For an even number of values, the mean of the middle two. */
function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}
