import { putQuestion } from '../approvals/approval-prompts.ts';
import type { ApprovalOutcome, ApprovalQuestion, Approver } from '../ports/approver.ts';
import type { Clock } from '../ports/clock.ts';

export type ScriptedApproverOptions = {
  readonly clock: Clock;
  /** The user's response to a question; if missing, the answer is no. It may take long, and may be any answer, even an invalid one. */
  readonly answer?: (question: ApprovalQuestion, signal: AbortSignal) => ApprovalOutcome | Promise<ApprovalOutcome>;
};

/** A user whose answers a test scripts. */
export class ScriptedApprover implements Approver {
  readonly #options: ScriptedApproverOptions;
  readonly #questions: ApprovalQuestion[] = [];

  constructor(options: ScriptedApproverOptions) {
    this.#options = options;
  }

  /** The questions so far, in order. */
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
