import type { StepRefusal } from '../ports/workspace/step-result.ts';

/** Whether a step may be done. */
export type Approval =
  | {
      readonly allowed: true;
      /** The user's answer to this very question, an earlier one of this run, or a lasting approval. */
      readonly by: 'answer' | 'earlier-answer' | 'lasting-approval';
    }
  | { readonly allowed: false; readonly refusal: StepRefusal };

/** A question, and what became of it, for the account of a run. */
export type ApprovalRecord = {
  /** The command or the path, on one line, safe to show, 200 characters at most. */
  readonly about: string;
  /** Why it was asked about, in a sentence. */
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
  /** Why nothing could be asked, or why a lasting answer was not kept: sentences; empty mostly. */
  readonly note: string;
};
