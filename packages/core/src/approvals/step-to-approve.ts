import type { StepRefusal } from '../ports/workspace/step-result.ts';

/** Whether a step is allowed. */
export type Approval =
  | {
      readonly allowed: true;
      /** The user's answer to this very question, an earlier one of this run, or a lasting approval. */
      readonly by: 'answer' | 'earlier-answer' | 'lasting-approval';
    }
  | { readonly allowed: false; readonly refusal: StepRefusal };

/** A question and its outcome, for the account of a run. */
export type ApprovalRecord = {
  /** The command or the path, on one line, safe to show, at most 200 characters. */
  readonly about: string;
  /** Why the user was asked, in a sentence. */
  readonly reason: string;
  readonly result:
    | 'once'
    | 'run'
    | 'server'
    | 'always'
    | 'no'
    | 'dismissed'
    | 'timed-out'
    | 'invalid-answer'
    | 'cancelled'
    | 'failed'
    | 'cannot-ask'
    | 'too-many-questions'
    | 'lasting-approval';
  /** Why no user could be asked, or why a lasting answer was not saved: sentences; usually empty. */
  readonly note: string;
};
