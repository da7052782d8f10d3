import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { AskAnswer, AskFailure, Attempt } from './ask-result.ts';

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
