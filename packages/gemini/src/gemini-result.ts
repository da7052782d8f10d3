import {
  type AskAnswer,
  type AskFailure,
  type AskProgress,
  type AskResult,
  type Attempt,
  type ContextPreview,
  type ContextReport,
  type DescribeFailureOptions,
  describeFailure,
  type FailureKind,
  type FailureWords,
  type GeminiFailure,
  type SearchReport,
} from '@gemini-mcp/core';

/** An answer: its text, the model that gave it, its usage, what was sent, and what was tried. */
export type GeminiAnswer = AskAnswer & { readonly ok: true };

export type GeminiNoAnswer = {
  readonly ok: false;
  readonly failure: {
    readonly kind: FailureKind;
    /** What happened, on which models, and what to do, in lines for a person. Quotes strangers as such. */
    readonly text: string;
    /** What came of an answer before it failed; empty where nothing did. */
    readonly partialText: string;
    /** For programs: all that is known of the kind. */
    readonly cause: GeminiFailure;
  };
  readonly attempts: readonly Attempt[];
  /** Null where nothing was named, or nothing was read. */
  readonly context: ContextReport | null;
};

export type GeminiResult = GeminiAnswer | GeminiNoAnswer;

/** `notices` say so where the exchange could not be kept. `chatId` is null while there is no conversation. */
export type ChatReplyResult =
  | (GeminiAnswer & { readonly chatId: string })
  | (GeminiNoAnswer & { readonly chatId: string | null });

/** `report` is null where it was not asked for. */
export type WebSearchResult = (GeminiAnswer & { readonly report: SearchReport | null }) | GeminiNoAnswer;

/** What a call with the same arguments would send. No model was asked. */
export type ContextResult = (ContextPreview & { readonly ok: true }) | GeminiNoAnswer;

/**
 * What happens in a call, in order: `text` is a piece of the answer, `result` the end and always the last. A new `asking` begins
 * the answer again: what an attempt had said before it failed is not part of the answer.
 */
export type StreamPiece<Result> = AskProgress | { readonly type: 'result'; readonly result: Result };

export function presentResult(asked: AskResult, words: FailureWords | undefined): GeminiResult {
  return asked.ok ? { ok: true, ...asked.answer } : presentFailure(asked.failed, { purpose: 'query', words });
}

export function presentFailure(
  failed: AskFailure,
  options: Required<Pick<DescribeFailureOptions, 'purpose' | 'words'>>,
): GeminiNoAnswer {
  const { failure: cause, partialText, attempts, context } = failed;
  const failure = { kind: cause.kind, text: describeFailure(failed, options), partialText, cause };
  return { ok: false, failure, attempts, context };
}
