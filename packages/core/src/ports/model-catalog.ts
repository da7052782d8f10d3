import type { GeminiFailure } from '../failure/gemini-failure.ts';

/** What is told of one model. What was not told, or made no sense, is null. */
export type CatalogModel = {
  /** Its name in a request: `gemini-3.8-flash`. */
  readonly name: string;
  readonly inputTokenLimit: number | null;
  readonly outputTokenLimit: number | null;
  /** Whether it can think before it answers. */
  readonly thinks: boolean | null;
  /** What it can be asked for, in the words of the API: `generateContent`, `countTokens`. */
  readonly actions: readonly string[];
};

/** The models that a login can use, each once; or why that is not known. */
export type ModelList =
  | { readonly ok: true; readonly models: readonly CatalogModel[] }
  | { readonly ok: false; readonly failure: GeminiFailure };

/**
 * Tells which models there are. An implementer owes:
 *
 * - All models, however many pages they come in, or a failure: never a part of them.
 * - Whatever goes wrong as a failure, never as an exception. Its words hold no key.
 * - An end soon after an abort, as `cancelled`, with no connection, timer or listener left.
 */
export interface ModelCatalog {
  list(signal: AbortSignal): Promise<ModelList>;
}
