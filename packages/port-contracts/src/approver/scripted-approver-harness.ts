import type { ApprovalOutcome, ApprovalQuestion, Approver } from '@gemini-mcp/core';
import { presentApproval } from '@gemini-mcp/core/internal';
import { ScriptedApprover } from '@gemini-mcp/core/testing';
import { Counter } from '../counter.ts';
import type { ApproverHarness, ApproverPlace, UserReply } from './approver-harness.ts';

/** The fault of an approver, if any. */
export type ApproverChange = {
  readonly change?: (right: Approver) => Approver;
  /** The text that the user sees. */
  readonly show?: (question: ApprovalQuestion, right: string) => string;
  /** How the user's choice is read. */
  readonly read?: (answer: string) => string;
};

/** The harness of a `ScriptedApprover` that answers as the contract says. */
export function scriptedApproverHarness(
  { clock }: ApproverPlace,
  { change = (right) => right, show = (_, right) => right, read = (answer) => answer }: ApproverChange = {},
): ApproverHarness {
  let replyTo: (text: string) => UserReply = () => ({ type: 'waits' });
  const shown: string[] = [];
  const counts = { shown: new Counter(), takenBack: new Counter() };
  const waiting: ((outcome: ApprovalOutcome) => void)[] = [];
  const answer = (question: ApprovalQuestion, signal: AbortSignal): ApprovalOutcome | Promise<ApprovalOutcome> => {
    const presented = presentApproval(question);
    if (presented === null) {
      return { type: 'cannot-ask', text: 'It is too long to be shown.' };
    }
    const text = show(question, presented.message);
    const reply = replyTo(text);
    if (reply.type === 'cannot-be-asked') {
      return { type: 'cannot-ask', text: 'This user cannot be asked.' };
    }
    shown.push(text);
    counts.shown.add();
    if (reply.type === 'waits') {
      signal.addEventListener('abort', () => counts.takenBack.add(), { once: true });
      return new Promise((resolve) => waiting.push(resolve));
    }
    return outcomeOf(reply, read);
  };
  return {
    approver: change(new ScriptedApprover({ clock, answer })),
    reply: (next) => {
      replyTo = next;
    },
    chooseNow: (chosen) => waiting.shift()?.(outcomeOf({ type: 'chooses', answer: chosen }, read)),
    shown: () => shown,
    whenShown: (count) => counts.shown.when(count),
    whenTakenBack: (count) => counts.takenBack.when(count),
    dispose: async () => undefined,
  };
}

function outcomeOf(reply: UserReply, read: (answer: string) => string): ApprovalOutcome {
  switch (reply.type) {
    case 'chooses':
      // Sends anything that the user sends: the approver must check it.
      return JSON.parse(JSON.stringify({ type: 'answered', answer: read(reply.answer) }));
    case 'dismisses':
      return { type: 'unanswered', reason: 'dismissed' };
    case 'fails':
      throw new Error('the window is gone');
    default:
      return JSON.parse('{"type":"answered"}');
  }
}
