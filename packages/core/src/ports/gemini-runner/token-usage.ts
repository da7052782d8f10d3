import type { GeminiFailure } from '../../failure/gemini-failure.ts';

/** The number of tokens of a request, including media and conversation, or why they could not be counted. */
export type TokenCount =
  | { readonly ok: true; readonly tokens: number }
  | { readonly ok: false; readonly failure: GeminiFailure };

/** Tokens that one model used in a run. */
export type ModelUsage = {
  readonly model: string;
  /** All input, including the cached part. */
  readonly inputTokens: number;
  /** The tokens that the model wrote, without its thoughts if these are reported separately. */
  readonly outputTokens: number;
  /** The tokens of the model's thoughts. Missing if not reported, like the counts below. */
  readonly thoughtTokens?: number;
  /** The part of the input that came from Google's cache. */
  readonly cachedTokens?: number;
  /** Results of Google's own tools, in addition to the input. */
  readonly toolTokens?: number;
};
