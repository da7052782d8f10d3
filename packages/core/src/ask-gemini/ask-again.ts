import type { Clock } from '../ports/clock.ts';
import { addUsage } from '../usage/add-usage.ts';
import type { AskGemini } from './ask-gemini.ts';
import type { AskProgress, AskRequest, OnProgress } from './ask-request.ts';
import type { AskAnswer, AskResult } from './ask-result.ts';

export type AskAgainOptions = {
  readonly clock: Clock;
  readonly askGemini: Pick<AskGemini, 'ask'>;
  /** The answer that does not do. */
  readonly answer: AskAnswer;
  /** What is asked now. Its `timeoutMs` is the time of the whole call; the model is the one that answered. */
  readonly request: AskRequest;
  /** Of the whole call, in milliseconds since the epoch of the clock. */
  readonly deadlineAtMs: number;
  readonly onProgress: OnProgress;
};

/**
 * Asks the model that answered once more, inside the deadline of the call. Resolves to the result of both questions, with one account;
 * null where no time is left. No other model takes over, so that the account of the call stays one.
 */
export async function askAgain(
  { clock, askGemini, answer, request, deadlineAtMs, onProgress }: AskAgainOptions,
  signal: AbortSignal,
): Promise<AskResult | null> {
  const timeoutMs = deadlineAtMs - clock.now();
  if (timeoutMs <= 0) {
    return null;
  }
  const asked = await askGemini.ask(
    { ...request, model: answer.model, timeoutMs },
    (progress) => onProgress(countedOn(progress, answer.attempts.length)),
    signal,
  );
  if (asked.ok) {
    return { ok: true, answer: joinAnswers(answer, asked.answer) };
  }
  const attempts = [...answer.attempts, ...asked.failed.attempts];
  return { ok: false, failed: { ...asked.failed, attempts, timeoutMs: request.timeoutMs } };
}

function countedOn(progress: AskProgress, attemptsBefore: number): AskProgress {
  return progress.type === 'asking' ? { ...progress, attempt: progress.attempt + attemptsBefore } : progress;
}

function joinAnswers(first: AskAnswer, second: AskAnswer): AskAnswer {
  return {
    ...second,
    attempts: [...first.attempts, ...second.attempts],
    usage: addUsage([...first.usage, ...second.usage]),
  };
}
