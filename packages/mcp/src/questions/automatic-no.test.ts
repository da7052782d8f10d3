import type { ApprovalQuestion } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { expect, it } from 'vitest';
import { runCall } from '../handlers/run-call.ts';

import { ElicitingApprover } from './eliciting-approver.ts';
import type { QuestionOutcome } from './question.ts';
import { createAskingSurface } from './testing/asking-surface.ts';

const question: ApprovalQuestion = {
  handle: 'a',
  subject: { type: 'change', path: 'package.json', diff: '+a\n' },
  reason: 'Other programs obey it.',
  kind: null,
  wholeServer: null,
  lasting: null,
  toType: '(cd /p && gemini-mcp-server approvals allow npm)',
  deadlineAtMs: Number.MAX_SAFE_INTEGER,
};

async function outcomeAfter(durationMs: number, action: 'decline' | 'cancel'): Promise<unknown> {
  const clock = new FakeClock();
  const { surface, outcomes } = createAskingSurface(async (ask) => {
    const approver = new ElicitingApprover({ ask, clock });
    return (await approver.ask(question, new AbortController().signal)) as unknown as QuestionOutcome;
  });
  const [tool] = surface.tools;
  if (tool === undefined) {
    throw new Error('no tool');
  }
  const elicit = async (): Promise<unknown> => {
    await clock.advance(durationMs);
    return { action };
  };
  const from = { signal: new AbortController().signal, clientName: null, owner: 'alice' };
  const elicitor = { cannotAsk: null, elicit };
  await runCall(tool, { args: {}, from, notify: null, elicitor, clock, log: () => undefined });
  return outcomes[0];
}

it.each(['decline', 'cancel'] as const)('a client that says no within 50 ms asked no one: %s', async (action) => {
  expect(await outcomeAfter(49, action)).toEqual({
    type: 'cannot-ask',
    text: 'No one was asked: the client says no by itself. A user at a terminal of the server can allow it for good by typing: (cd /p && gemini-mcp-server approvals allow npm)',
  });
});

it('a later no is the user’s', async () => {
  expect(await outcomeAfter(50, 'decline')).toEqual({ type: 'answered', answer: 'no' });
  expect(await outcomeAfter(50, 'cancel')).toEqual({ type: 'unanswered', reason: 'dismissed' });
});

it('progress after a question speaks of the step again', async () => {
  const clock = new FakeClock();
  const said: string[] = [];
  const { surface } = createAskingSurface(async () => []);
  const [asking] = surface.tools;
  if (asking === undefined) {
    throw new Error('no tool');
  }
  const choices = [{ name: 'once', label: 'Once' }];
  const tool: typeof asking = {
    ...asking,
    run: async (_, { ask, progress }) => {
      progress({ type: 'status', message: 'Step 1: npm install' });
      await ask({ handle: 'a', message: 'Run it?', choices });
      await clock.sleep(20_000, new AbortController().signal);
      return { text: 'done', isError: false };
    },
  };
  const call = runCall(tool, {
    args: {},
    from: { signal: new AbortController().signal, clientName: null, owner: 'alice' },
    notify: async ({ message }) => {
      said.push(message);
    },
    elicitor: { cannotAsk: null, elicit: async () => ({ action: 'accept', content: { choice: 'once' } }) },
    clock,
    log: () => undefined,
  });
  for (let second = 0; second < 21; second += 1) {
    await clock.advance(1_000);
  }
  await call;
  expect(said.join('\n')).toContain('Waiting for an answer to a question');
  expect(said.at(-1)).toMatch(/^Step 1: npm install \(\d+ s\)$/);
});
