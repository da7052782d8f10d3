import type { DeliveredEnding } from '../failure/answer-ending.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { LeftOut } from '../failure/left-out.ts';
import type { Grounding, NamedPage } from '../ports/gemini-runner/grounding.ts';
import type { HandledBy } from '../ports/gemini-runner/run-event.ts';
import type { ModelUsage } from '../ports/gemini-runner/token-usage.ts';

/** One run of one model. */
export type Attempt = {
  readonly model: string;
  readonly durationMs: number;
  /** Null for the attempt that answered. */
  readonly failure: GeminiFailure | null;
  /** By which of several runners it went. Missing where there is one. */
  readonly handledBy?: HandledBy;
};

/** The files that were sent with the prompt, and those that were not. */
export type ContextReport = {
  /** Of which something was sent, media among them; several parts of one file are one file. */
  readonly files: number;
  /** Images, PDFs, recordings and videos. */
  readonly media: number;
  readonly bytes: number;
  /** Absolute: relative names are resolved from it. Missing where the caller is not to know it. */
  readonly workingDirectory?: string;
  readonly leftOut: readonly LeftOut[];
  readonly limits: ContextLimits;
};

/** The room of a call: the caller's limits, lowered to what the runner and the models' window carry. */
export type ContextLimits = {
  readonly maxFiles: number;
  /** Of text. */
  readonly maxBytes: number;
  /** Of the message, with the text around the files. */
  readonly maxCharacters: number;
  /** Of media. */
  readonly maxMediaBytes: number;
  /** Of all that is sent, where the tokens were counted to find what fits. */
  readonly maxTokens?: number;
};

export type AskAnswer = {
  readonly text: string;
  /** The model that was asked last, by the name we gave. `usage` says which models did the work. */
  readonly model: string;
  readonly attempts: readonly Attempt[];
  /** How the model ended the text. Missing where the runner was not told. */
  readonly ending?: DeliveredEnding;
  /** The model that answered, by the name that the API gave it. Missing where that was not told. */
  readonly modelVersion?: string;
  /** By which of several runners it came, with which login, and why by that one. Missing where there is one. */
  readonly handledBy?: HandledBy;
  /** Of all attempts together, one entry a model. Empty where they reported no figures. */
  readonly usage: readonly ModelUsage[];
  /** Null when the caller named no files. */
  readonly context: ContextReport | null;
  /** What a search of the answering run found. Missing where there was none, or where the runner does not tell it. */
  readonly grounding?: Grounding;
  /** What became of the pages that the request named. None when it is missing. */
  readonly pages?: readonly NamedPage[];
  /** What the runner had to say about the run that answered. None when it is missing. */
  readonly notices?: readonly string[];
};

export type AskFailure = {
  readonly failure: GeminiFailure;
  readonly attempts: readonly Attempt[];
  /** What came of an answer before the failure, for what it is worth: of the last attempt that said anything. */
  readonly partialText: string;
  readonly context: ContextReport | null;
  readonly timeoutMs: number;
  /** What was done before the failure, and stays: sentences. None when it is missing. */
  readonly notices?: readonly string[];
};

export type AskResult =
  | { readonly ok: true; readonly answer: AskAnswer }
  | { readonly ok: false; readonly failed: AskFailure };

/** The account of a call that ended before any model was asked. */
export function failBeforeRun(
  { timeoutMs }: { readonly timeoutMs: number },
  failure: GeminiFailure,
  context: ContextReport | null = null,
): AskFailure {
  return { failure, attempts: [], partialText: '', context, timeoutMs };
}

/** The failure of a call whose answer does not do: the attempt that answered counts as failed. */
export function rejectAnswer(
  { attempts, context }: AskAnswer,
  failure: GeminiFailure,
  { timeoutMs, partialText = '' }: { readonly timeoutMs: number; readonly partialText?: string },
): AskFailure {
  const last = attempts.length - 1;
  const failed: readonly Attempt[] = attempts.map((attempt, index) =>
    index === last ? { ...attempt, failure } : attempt,
  );
  return { failure, attempts: failed, partialText, context, timeoutMs };
}
