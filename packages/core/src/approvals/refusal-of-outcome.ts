import type { ApprovalOutcome } from '../ports/approver.ts';
import type { StepRefusal } from '../ports/workspace/step-result.ts';

const goOn =
  'Do not try the same in another form. Go on without it, or say in the answer what you could not do and why.';

/** The refusal, for the model, of a step that needs the user's approval. */
export function needsApproval(message: string, hint: string = goOn): StepRefusal {
  return { code: 'needs-approval', message, hint, retriable: false };
}

/** The refusal that the model gets if the outcome of a question is not consent. */
export function refusalOfOutcome(outcome: ApprovalOutcome, reason: string): StepRefusal {
  switch (outcome.type) {
    case 'answered':
      return { code: 'denied-by-user', message: 'The user was asked, and said no.', hint: goOn, retriable: false };
    case 'cannot-ask':
      return needsApproval(`${reason} The user has to allow it, and cannot be asked. ${outcome.text}`);
    case 'unanswered':
      return refusalOfUnanswered(outcome.reason);
  }
}

function refusalOfUnanswered(reason: Extract<ApprovalOutcome, { type: 'unanswered' }>['reason']): StepRefusal {
  switch (reason) {
    case 'dismissed':
      return {
        code: 'denied-by-user',
        message: 'The user closed the question, which allows nothing.',
        hint: goOn,
        retriable: false,
      };
    case 'timed-out':
      return needsApproval('The user was asked, and did not answer in time.');
    case 'invalid-answer':
      return needsApproval('The client returned an answer that was not offered, which allows nothing.');
    case 'failed':
      return needsApproval('The user could not be asked: the client failed.');
    case 'cancelled':
      return {
        code: 'cancelled',
        message: 'The run was cancelled while the user was asked.',
        hint: '',
        retriable: false,
      };
  }
}
