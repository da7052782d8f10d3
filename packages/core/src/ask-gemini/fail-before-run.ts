import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { AskRequest } from './ask-request.ts';
import type { AskFailure, ContextReport } from './ask-result.ts';

/** The account of a call that ended before any model was asked. */
export function failBeforeRun(
  { timeoutMs }: AskRequest,
  failure: GeminiFailure,
  context: ContextReport | null = null,
): AskFailure {
  return { failure, attempts: [], partialText: '', context, timeoutMs };
}
