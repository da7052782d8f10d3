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

/** An answer: its text, model and usage, the context sent, and the attempts made. */
export type GeminiAnswer = AskAnswer & { readonly ok: true };

export type GeminiNoAnswer = {
  readonly ok: false;
  readonly failure: {
    readonly kind: FailureKind;
    /** Lines for a person: what happened, on which models, and what to do. Marks quoted foreign text. */
    readonly text: string;
    /** The partial answer before the failure; empty if nothing had arrived. */
    readonly partialText: string;
    /** For programs: the kind of failure with its details. */
    readonly cause: GeminiFailure;
  };
  readonly attempts: readonly Attempt[];
  /** Null if the call named no context or nothing was read. */
  readonly context: ContextReport | null;
};

export type GeminiResult = GeminiAnswer | GeminiNoAnswer;

/** If the exchange could not be saved, `notices` says so. `chatId` is null before the conversation exists. */
export type ChatReplyResult =
  | (GeminiAnswer & { readonly chatId: string })
  | (GeminiNoAnswer & { readonly chatId: string | null });

/** `report` is null if not requested. */
export type WebSearchResult = (GeminiAnswer & { readonly report: SearchReport | null }) | GeminiNoAnswer;

/** The content that a call with the same arguments would send. No model was asked. */
export type ContextResult = (ContextPreview & { readonly ok: true }) | GeminiNoAnswer;

/**
 * The events of a call, in order: `text` is a piece of the answer, `result` is always the last event. A new `asking` restarts
 * the answer: the text of a failed attempt is not part of it.
 */
export type StreamPiece<Result> = AskProgress | { readonly type: 'result'; readonly result: Result };

export function presentResult(asked: AskResult, words: FailureWords | undefined): GeminiResult {
  return asked.ok ? { ok: true, ...asked.answer } : toGeminiFailureResult(asked.failed, { purpose: 'query', words });
}

export function toGeminiFailureResult(
  failed: AskFailure,
  options: Required<Pick<DescribeFailureOptions, 'purpose' | 'words'>>,
): GeminiNoAnswer {
  const { failure: cause, partialText, attempts, context } = failed;
  const failure = { kind: cause.kind, text: describeFailure(failed, options), partialText, cause };
  return { ok: false, failure, attempts, context };
}
