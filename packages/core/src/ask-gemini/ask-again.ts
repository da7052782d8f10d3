import type { AskAnswer, AskResult } from '../answers/ask-result.ts';
import type { Clock } from '../ports/clock.ts';
import { addUsage } from './add-usage.ts';
import type { AskGemini } from './ask-gemini.ts';
import type { AskProgress, AskRequest, OnProgress } from './ask-request.ts';

export type AskAgainOptions = {
  readonly clock: Clock;
  readonly askGemini: Pick<AskGemini, 'ask'>;
  readonly before: Pick<AskAnswer, 'attempts'> & Partial<Pick<AskAnswer, 'usage'>>;
  /** The new question. Its `timeoutMs` is the time of the whole call. */
  readonly request: AskRequest;
  /** Of the whole call, in milliseconds since the epoch of the clock. */
  readonly deadlineAtMs: number;
  readonly onProgress: OnProgress;
};

/**
 * Asks once more, within the deadline of the call. Resolves to the result, with the account of both questions; null if no time is left. A question
 * that repairs an answer names the model of that answer: another model would not know the context.
 */
export async function askAgain(
  { clock, askGemini, before, request, deadlineAtMs, onProgress }: AskAgainOptions,
  signal: AbortSignal,
): Promise<AskResult | null> {
  const timeoutMs = deadlineAtMs - clock.now();
  if (timeoutMs <= 0) {
    return null;
  }
  const asked = await askGemini.ask(
    { ...request, timeoutMs },
    (progress) => onProgress(countedOn(progress, before.attempts.length)),
    signal,
  );
  if (asked.ok) {
    const { answer } = asked;
    const attempts = [...before.attempts, ...answer.attempts];
    return { ok: true, answer: { ...answer, attempts, usage: addUsage([...(before.usage ?? []), ...answer.usage]) } };
  }
  const attempts = [...before.attempts, ...asked.failed.attempts];
  return { ok: false, failed: { ...asked.failed, attempts, timeoutMs: request.timeoutMs } };
}

function countedOn(progress: AskProgress, attemptsBefore: number): AskProgress {
  return progress.type === 'asking' ? { ...progress, attempt: progress.attempt + attemptsBefore } : progress;
}
