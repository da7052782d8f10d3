import type { ApprovalOutcome, ApprovalQuestion, Approver } from '@gemini-mcp/core';
import { presentApproval } from '@gemini-mcp/core/internal';
import { ScriptedApprover } from '@gemini-mcp/core/testing';
import type { ApproverHarness, ApproverPlace, UserReply } from './approver-harness.ts';
import { Counter } from './counter.ts';

/** What a `ScriptedApprover` is asked is answered as the contract says. `change` may make a wrong approver of it. */
export function scriptedApproverHarness(
  { clock }: ApproverPlace,
  change: (right: Approver) => Approver = (right) => right,
): ApproverHarness {
  let replyTo: (text: string) => UserReply = () => ({ type: 'waits' });
  const shown: string[] = [];
  const counts = { shown: new Counter(), takenBack: new Counter() };
  const waiting: ((outcome: ApprovalOutcome) => void)[] = [];
  const answer = (question: ApprovalQuestion, signal: AbortSignal): ApprovalOutcome | Promise<ApprovalOutcome> => {
    const text = presentApproval(question)?.message ?? '';
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
    return outcomeOf(reply);
  };
  return {
    approver: change(new ScriptedApprover({ clock, answer })),
    reply: (next) => {
      replyTo = next;
    },
    chooseNow: (chosen) => waiting.shift()?.(outcomeOf({ type: 'chooses', answer: chosen })),
    shown: () => shown,
    whenShown: (count) => counts.shown.when(count),
    whenTakenBack: (count) => counts.takenBack.when(count),
    dispose: async () => undefined,
  };
}

function outcomeOf(reply: UserReply): ApprovalOutcome {
  switch (reply.type) {
    case 'chooses':
      // Whatever the user sends: the approver has to look at it.
      return JSON.parse(JSON.stringify({ type: 'answered', answer: reply.answer }));
    case 'dismisses':
      return { type: 'unanswered', reason: 'dismissed' };
    case 'fails':
      throw new Error('the window is gone');
    default:
      return JSON.parse('{"type":"answered"}');
  }
}
