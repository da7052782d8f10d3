import type { ApprovalOutcome, ApprovalQuestion } from '../ports/approver.ts';
import { offeredAnswers } from './offered-answers.ts';

const reasons = ['dismissed', 'timed-out', 'invalid-answer', 'cancelled', 'failed'] as const;

/** What an approver said, as an outcome of the question: anything but one of these, whatever its type says, is `invalid-answer`. */
export function checkOutcome(told: ApprovalOutcome, question: ApprovalQuestion): ApprovalOutcome {
  switch (told?.type) {
    case 'answered': {
      const answer = offeredAnswers(question).find((offered) => offered === told.answer);
      return answer === undefined ? invalid : { type: 'answered', answer };
    }
    case 'cannot-ask':
      return { type: 'cannot-ask', text: String(told.text) };
    case 'unanswered':
      return { type: 'unanswered', reason: reasons.find((reason) => reason === told.reason) ?? 'invalid-answer' };
    default:
      return invalid;
  }
}

const invalid: ApprovalOutcome = { type: 'unanswered', reason: 'invalid-answer' };
