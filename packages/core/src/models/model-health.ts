import type { Attempt } from '../answers/ask-result.ts';
import type { FailureKind } from '../failure/gemini-failure.ts';
import type { Clock } from '../ports/clock.ts';

/** How a model has done lately. */
export type ModelHealthReport = {
  readonly model: string;
  readonly attempts: number;
  /** Of `attempts`, those that ended in an answer. */
  readonly answered: number;
  /** Of the attempts that answered; null when none did. */
  readonly medianDurationMs: number | null;
  /** The failure that came last, also when answers came after it; null when there was none. */
  readonly lastFailure: { readonly kind: FailureKind; readonly atMs: number } | null;
};

type Observation = {
  readonly atMs: number;
  readonly durationMs: number;
  readonly failure: FailureKind | null;
};

/** Ends of attempts that never reached their model, and say nothing about it. */
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
/** Callers name models as they like: the names must not pile up. */
const maxModels = 100;

/** Remembers how the attempts of the last hour went, at most 50 for each of at most 100 models, those asked last. */
export class ModelHealth {
  readonly #clock: Clock;
  /** By model, the one that was asked last at the end; each with its newest observation last. */
  readonly #observations = new Map<string, readonly Observation[]>();

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  /** The models of which something is known, the one that was asked last at the end. */
  get models(): readonly string[] {
    return [...this.#observations.keys()].filter((model) => this.#recent(model).length > 0);
  }

  /** Takes note of an attempt that has just ended, unless it never reached its model. */
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

  /** One report for each of the models, in their order, also for those of which nothing is known. */
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

/** Of an even number of values, the mean of the middle two. */
function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}
