import type { LeftOut } from '../context/left-out.ts';
import type { AskFailure, ContextLimits } from './ask-result.ts';
import type { SentPart } from './sent-part.ts';

/** What a call would send. Tokens are an estimate at four characters a token: only the API can count them. */
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
  /** Of the message, what was said before it, and the media. */
  readonly estimatedTokens: number;
  /** Of the smallest model of the chain. */
  readonly windowTokens: number;
  /** `estimatedTokens` of `windowTokens`; above 1 where media come to more than the window. */
  readonly share: number;
  /** The room of the call. */
  readonly limits: ContextLimits;
};

export type PreviewResult =
  | { readonly ok: true; readonly preview: ContextPreview }
  | { readonly ok: false; readonly failed: AskFailure };
