import type { CommandPlan } from '../commands/command-plan.ts';
import type { ApprovalSubject } from '../ports/approver.ts';
import type { CommandRisk, ProposedChange, StepRefusal } from '../ports/workspace-steps.ts';

/** A step about which the user is asked. */
export type StepToApprove = {
  /** How long the step may take once it is allowed, in milliseconds: answer and step have to fit into one call of a tool. */
  readonly timeMs: number;
} & (
  | {
      readonly type: 'command';
      readonly plan: CommandPlan;
      /** Why it is asked about: the sentence of its judgement. */
      readonly reason: string;
      /** As in `ApprovalSubject`. */
      readonly writes?: string;
      /** As in `ApprovalSubject`: an answer for the run covers that risk of every command. */
      readonly risk?: CommandRisk;
    }
  | { readonly type: 'change'; readonly change: ProposedChange }
  | {
      readonly type: 'tool';
      /** The call as it will be made. */
      readonly call: Omit<Extract<ApprovalSubject, { readonly type: 'tool' }>, 'type'>;
      /** Why it is asked about, in a sentence. */
      readonly reason: string;
    }
);

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
