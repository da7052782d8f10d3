import { modelWindowTokens } from '../fallback/model-chain.ts';
import type { Clock } from '../ports/clock.ts';
import type { CatalogModel, ModelCatalog, ModelList } from '../ports/model-catalog.ts';
import { raceTimeout } from '../waiting/race-timeout.ts';

const dayMs = 86_400_000;
/** The pause after a failure: readers should not wait for the same failure again and again. */
const retryAfterMs = 600_000;
/** The limit for a catalog that never answers. */
const listTimeoutMs = 30_000;

export type KnownModelsOptions = {
  readonly clock: Clock;
  readonly catalog: ModelCatalog;
};

/** The models of a catalog, cached for a day. The catalog is read only on request, and no call to Gemini waits for it. */
export class KnownModels {
  readonly #options: KnownModelsOptions;
  #models: readonly CatalogModel[] | null = null;
  #last: ModelList | null = null;
  #askAgainAtMs = 0;
  #asking: Promise<void> | null = null;

  constructor(options: KnownModelsOptions) {
    this.#options = options;
  }

  /**
   * The models known after at most this many milliseconds: a list of the last day, or why it failed; null if the catalog has not answered yet. An
   * older list is returned until the next one arrives.
   */
  async read(patienceMs: number, signal: AbortSignal): Promise<ModelList | null> {
    const { clock } = this.#options;
    if (clock.now() >= this.#askAgainAtMs) {
      this.#asking ??= this.#ask();
    }
    if (this.#asking !== null && this.#models === null) {
      await raceTimeout({ event: this.#asking, durationMs: patienceMs, clock }, signal);
    }
    return this.#models === null ? this.#last : { ok: true, models: this.#models };
  }

  /** Like `modelWindowTokens`, with the catalog's figure if it is known. Makes no request. */
  windowOf(model: string): number {
    const told = this.#models?.find(({ name }) => name === model)?.inputTokenLimit;
    return modelWindowTokens(model, told ?? undefined);
  }

  async #ask(): Promise<void> {
    const { clock, catalog } = this.#options;
    const over = new AbortController();
    const listing = catalog.list(over.signal).then((list) => {
      this.#last = list;
      this.#models = list.ok ? list.models : this.#models;
    });
    await raceTimeout({ event: listing, durationMs: listTimeoutMs, clock }, new AbortController().signal);
    over.abort();
    await listing;
    this.#askAgainAtMs = clock.now() + (this.#last?.ok === true ? dayMs : retryAfterMs);
    this.#asking = null;
  }
}
