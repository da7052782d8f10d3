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
export const tooLongArguments: Approval = refuse(
  needsApproval(
    'The user would have to allow this call, and its arguments are too long to be shown to them whole.',
    'Call it with less at a time.',
  ),
);
export const tooLongToShow: Approval = refuse(
  needsApproval(
    'The user would have to allow it, and it is too long to be shown to them whole.',
    'Write it in fewer words: put what is long into a file, and name that.',
  ),
);
