import type { GeminiFailure } from '../../failure/gemini-failure.ts';

/** How many tokens a request comes to, media and conversation among them; or why that could not be counted. */
export type TokenCount =
  | { readonly ok: true; readonly tokens: number }
  | { readonly ok: false; readonly failure: GeminiFailure };

/** Tokens that one model used in a run. */
export type ModelUsage = {
  readonly model: string;
  /** All of the input, the cached part among it. */
  readonly inputTokens: number;
  /** What the model wrote, without its thoughts where these are told apart. */
  readonly outputTokens: number;
  /** What the model thought. Missing where the runner was not told, as are those below. */
  readonly thoughtTokens?: number;
  /** The part of the input that Google had in its cache. */
  readonly cachedTokens?: number;
  /** What results of Google's own tools were in addition to the input. */
  readonly toolTokens?: number;
};
