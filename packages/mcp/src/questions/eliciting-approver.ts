import { randomUUID } from 'node:crypto';
import type { ApprovalOutcome, ApprovalQuestion, Approver, Clock } from '@gemini-mcp/core';
import { type PresentedApproval, presentApproval } from '@gemini-mcp/core/internal';
import type { Ask, CannotAskReason, QuestionOutcome } from './question.ts';

export type ElicitingApproverOptions = {
  /** The call that the run works for. */
  readonly ask: Ask;
  readonly clock: Clock;
};

/**
 * Asks the user of an MCP client by a form with one required choice and no default: some clients accept forms that no one has seen.
 * If the user cannot be asked, the outcome says what the user can do instead.
 */
export class ElicitingApprover implements Approver {
  readonly #options: ElicitingApproverOptions;

  constructor(options: ElicitingApproverOptions) {
    this.#options = options;
  }

  async ask(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalOutcome> {
    const presented = presentApproval(question);
    if (presented === null) {
      return { type: 'cannot-ask', text: 'It is too long to show.' };
    }
    const { ask, clock } = this.#options;
    const { deadlineAtMs } = question;
    if (deadlineAtMs <= clock.now()) {
      return { type: 'unanswered', reason: 'timed-out' };
    }
    // A new handle each time: the same handle would return the earlier answer.
    const choices = presented.choices.map(({ answer, label }) => ({ name: answer, label }));
    const form = { handle: `approval-${randomUUID()}`, message: presented.message, deadlineAtMs, choices };
    return outcomeOf(await ask(form, signal), presented, question);
  }
}

function outcomeOf(outcome: QuestionOutcome, { choices }: PresentedApproval, asked: ApprovalQuestion): ApprovalOutcome {
  if ('isAutomatic' in outcome && outcome.isAutomatic === true) {
    return { type: 'cannot-ask', text: `No one was asked: the client says no by itself. ${insteadOfAsking(asked)}` };
  }
  switch (outcome.type) {
    case 'chosen': {
      const choice = choices.find(({ answer }) => answer === outcome.choice);
      return choice === undefined ? invalid : { type: 'answered', answer: choice.answer };
    }
    case 'answered':
      return invalid;
    case 'declined':
      return { type: 'answered', answer: 'no' };
    case 'dismissed':
      return { type: 'unanswered', reason: 'dismissed' };
    case 'unanswered':
      return { type: 'unanswered', reason: outcome.reason === 'client-failed' ? 'failed' : outcome.reason };
    case 'cannot-ask':
      return { type: 'cannot-ask', text: `${ways[outcome.reason] ?? outcome.text} ${insteadOfAsking(asked)}` };
  }
}

const invalid: ApprovalOutcome = { type: 'unanswered', reason: 'invalid-answer' };

const ways: Partial<Readonly<Record<CannotAskReason, string>>> = {
  'call-over': 'A run in the background cannot ask: a call without background can, until it becomes a job.',
};

function insteadOfAsking({ subject, lasting, toType }: ApprovalQuestion): string {
  if (toType === undefined) {
    return `The user can do it by hand${subject.type === 'change' ? ', with the diff that you give' : ''}.`;
  }
  const who = subject.type === 'tool' || lasting === null ? 'A user at a terminal of the server' : 'The user';
  return `${who} can allow it for good by typing: ${toType}${lasting === null ? '' : ` It covers ${lasting}.`}`;
}
