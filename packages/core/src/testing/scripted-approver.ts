import { putQuestion } from '../approvals/approval-prompts.ts';
import type { ApprovalOutcome, ApprovalQuestion, Approver } from '../ports/approver.ts';
import type { Clock } from '../ports/clock.ts';

export type ScriptedApproverOptions = {
  readonly clock: Clock;
  /** What the user of a test does about a question; says no when it is missing. May take long, and may be any answer at all. */
  readonly answer?: (question: ApprovalQuestion, signal: AbortSignal) => ApprovalOutcome | Promise<ApprovalOutcome>;
};

/** A user who answers as a test tells them to. */
export class ScriptedApprover implements Approver {
  readonly #options: ScriptedApproverOptions;
  readonly #questions: ApprovalQuestion[] = [];

  constructor(options: ScriptedApproverOptions) {
    this.#options = options;
  }

  /** What was asked, in order. */
  get questions(): readonly ApprovalQuestion[] {
    return this.#questions;
  }

  ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalOutcome> {
    const { clock, answer = (): ApprovalOutcome => ({ type: 'answered', answer: 'no' }) } = this.#options;
    const user: Approver = {
      ask: async (asked, asking) => {
        this.#questions.push(asked);
        return answer(asked, asking);
      },
    };
    return putQuestion({ approver: user, clock, question }, signal);
  }
}
