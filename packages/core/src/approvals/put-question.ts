import type { ApprovalOutcome, ApprovalQuestion, Approver } from '../ports/approver.ts';
import type { Clock } from '../ports/clock.ts';
import { waitAtMost } from '../waiting/wait-at-most.ts';
import { checkOutcome } from './check-outcome.ts';

export type PutQuestionOptions = {
  readonly approver: Approver;
  readonly clock: Clock;
  readonly question: ApprovalQuestion;
};

/**
 * Puts one question, and takes nothing for an answer that is late, was not offered, or came after the abort, also from an approver that does
 * not keep its promises. Never rejects.
 */
export async function putQuestion(
  { approver, clock, question }: PutQuestionOptions,
  signal: AbortSignal,
): Promise<ApprovalOutcome> {
  const durationMs = question.deadlineAtMs - clock.now();
  if (signal.aborted || durationMs <= 0) {
    return { type: 'unanswered', reason: signal.aborted ? 'cancelled' : 'timed-out' };
  }
  const takingBack = new AbortController();
  // In the very moment of the abort: a moment later the way to the client may be closed.
  const takeBack = (): void => takingBack.abort();
  signal.addEventListener('abort', takeBack, { once: true });
  let outcome: ApprovalOutcome = { type: 'unanswered', reason: 'failed' };
  const event = askSafely(approver, question, takingBack.signal).then((told) => {
    outcome = told;
  });
  const end = await waitAtMost({ event, durationMs, clock }, signal);
  signal.removeEventListener('abort', takeBack);
  takeBack();
  if (signal.aborted) {
    return { type: 'unanswered', reason: 'cancelled' };
  }
  return end === 'happened' && clock.now() < question.deadlineAtMs
    ? outcome
    : { type: 'unanswered', reason: 'timed-out' };
}

async function askSafely(
  approver: Approver,
  question: ApprovalQuestion,
  signal: AbortSignal,
): Promise<ApprovalOutcome> {
  try {
    return checkOutcome(await approver.ask(question, signal), question);
  } catch {
    return { type: 'unanswered', reason: 'failed' };
  }
}
