import type { LeftOut } from '../context/left-out.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { AskFailure, ContextLimits } from './ask-result.ts';
import type { SentPart } from './sent-part.ts';

/** What a call would send. */
export type ContextPreview = {
  /** In the order in which they would be sent; empty when the caller named nothing. */
  readonly entries: readonly SentPart[];
  readonly leftOut: readonly LeftOut[];
  /** Absolute: relative names are resolved from it. Missing where nothing was named, or the caller is not to know it. */
  readonly workingDirectory?: string;
  /** The message whole, in UTF-8: the prompt, the files, and the text around them. */
  readonly messageBytes: number;
  /** In UTF-16 code units. */
  readonly messageCharacters: number;
  /** Of the message, what was said before it, and the media: see `estimateTextTokens`. */
  readonly estimatedTokens: number;
  /** Whether a request that `countsTokens` would have Google count them. */
  readonly canBeCounted: boolean;
  /** Of the same and the system prompt, as Google counted them. Missing where that was not asked, or failed. */
  readonly countedTokens?: number;
  /** Why they could not be counted as asked. */
  readonly countFailure?: GeminiFailure;
  /** Of the smallest model of the chain. */
  readonly windowTokens: number;
  /** The tokens of `windowTokens`, counted or estimated; above 1 where they come to more than the window. */
  readonly share: number;
  /** The room of the call. */
  readonly limits: ContextLimits;
};

export type PreviewResult =
  | { readonly ok: true; readonly preview: ContextPreview }
  | { readonly ok: false; readonly failed: AskFailure };
