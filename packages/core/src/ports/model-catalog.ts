import type { GeminiFailure } from '../failure/gemini-failure.ts';

/** One model. A value that the API did not give, or that made no sense, is null. */
export type CatalogModel = {
  /** The name for requests: `gemini-3.8-flash`. */
  readonly name: string;
  readonly inputTokenLimit: number | null;
  readonly outputTokenLimit: number | null;
  /** Whether it can think before it answers. */
  readonly thinks: boolean | null;
  /** The actions it supports, by the API's names: `generateContent`, `countTokens`. */
  readonly actions: readonly string[];
};

/** The models that a login can use, each once, or why they are unknown. */
export type ModelList =
  | { readonly ok: true; readonly models: readonly CatalogModel[] }
  | { readonly ok: false; readonly failure: GeminiFailure };

/**
 * Lists the available models. Implementations must:
 *
 * - Return all models, however many pages they come in, or a failure: never a partial list.
 * - Report every error as a failure, and never throw. Failure texts contain no key.
 * - End soon after an abort, as `cancelled`, and leave no connection, timer or listener.
 */
export interface ModelCatalog {
  list(signal: AbortSignal): Promise<ModelList>;
}
