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
  /** Which of several runners handled it. Missing with a single runner. */
  readonly handledBy?: HandledBy;
};

/** The files that were sent with the prompt, and those that were not. */
export type ContextReport = {
  /** Number of files that were sent at least in part, including media; several parts of one file count once. */
  readonly files: number;
  /** Images, PDFs, recordings and videos. */
  readonly media: number;
  readonly bytes: number;
  /** Absolute: relative names are resolved from it. Missing if the caller must not know it. */
  readonly workingDirectory?: string;
  readonly leftOut: readonly LeftOut[];
  readonly limits: ContextLimits;
};

/** The limits of a call: the caller's, lowered to those of the runner and of the models' window. */
export type ContextLimits = {
  readonly maxFiles: number;
  /** Of text. */
  readonly maxBytes: number;
  /** Of the message, including the text around the files. */
  readonly maxCharacters: number;
  /** Of media. */
  readonly maxMediaBytes: number;
  /** Of everything that is sent, if the tokens were counted to find what fits. */
  readonly maxTokens?: number;
};

export type AskAnswer = {
  readonly text: string;
  /** The last requested model, by the name in the request. `usage` says which models did the work. */
  readonly model: string;
  readonly attempts: readonly Attempt[];
  /** How the model ended the text. Missing if the runner does not know. */
  readonly ending?: DeliveredEnding;
  /** The model that answered, by the API's name for it. Missing if unknown. */
  readonly modelVersion?: string;
  /** Which of several runners answered, with which login, and why that one. Missing with a single runner. */
  readonly handledBy?: HandledBy;
  /** Of all attempts together, one entry for each model. Empty if they reported no usage. */
  readonly usage: readonly ModelUsage[];
  /** Null if the caller named no files. */
  readonly context: ContextReport | null;
  /** The search results of the answering run. Missing if it did not search, or the runner does not report them. */
  readonly grounding?: Grounding;
  /** The outcome of each page that the request named. Empty if missing. */
  readonly pages?: readonly NamedPage[];
  /** The runner's notices about the run that answered. Empty if missing. */
  readonly notices?: readonly string[];
};

export type AskFailure = {
  readonly failure: GeminiFailure;
  readonly attempts: readonly Attempt[];
  /** The partial answer before the failure: that of the last attempt that yielded text. */
  readonly partialText: string;
  readonly context: ContextReport | null;
  readonly timeoutMs: number;
  /** Of all attempts together, one entry for each model. Empty if missing. */
  readonly usage?: readonly ModelUsage[];
  /** Changes from before the failure that remain: sentences. Empty if missing. */
  readonly notices?: readonly string[];
};

export type AskResult =
  | { readonly ok: true; readonly answer: AskAnswer }
  | { readonly ok: false; readonly failed: AskFailure };

/** The result of a call that failed before any model was asked. */
export function failBeforeRun(
  { timeoutMs }: { readonly timeoutMs: number },
  failure: GeminiFailure,
  context: ContextReport | null = null,
): AskFailure {
  return { failure, attempts: [], partialText: '', context, timeoutMs };
}

/** The failure of a call whose answer is unusable: the attempt that answered counts as failed. */
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
