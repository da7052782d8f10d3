import type { ApprovalSubject } from '../ports/approver.ts';
import type { StepRefusal } from '../ports/workspace-steps.ts';
import { needsApproval, refusalOfOutcome } from './refusal-of-outcome.ts';
import type { Approval } from './step-to-approve.ts';

/** The step is not taken. */
export function refuse(refusal: StepRefusal): Approval {
  return { allowed: false, refusal };
}

export const cancelled: Approval = refuse(refusalOfOutcome({ type: 'unanswered', reason: 'cancelled' }, ''));
export const tooManyQuestions: Approval = refuse(
  needsApproval('The user has been asked as often as one run may ask, and is not asked again in this run.'),
);
/** Of what is too long to be shown to the user whole, by its kind. */
export const tooLong: Readonly<Record<ApprovalSubject['type'], Approval>> = {
  command: refuseLong('it', 'Write it in fewer words: put what is long into a file, and name that.'),
  change: refuseLong('this change', 'Write less at once: make it in several smaller changes.'),
  tool: refuseLong('this call', 'Call it with less at a time.'),
};

function refuseLong(what: string, hint: string): Approval {
  return refuse(
    needsApproval(`The user would have to allow ${what}, which is too long to be shown to them whole.`, hint),
  );
}
