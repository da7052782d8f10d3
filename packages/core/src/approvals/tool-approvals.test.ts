import { describe, expect, it } from 'vitest';
import type { ApprovalAnswer, StepToApprove } from '../ports/approver.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { approvalsInMemory } from '../testing/records-in-memory.ts';
import { ScriptedApprover } from '../testing/scripted-approver.ts';
import { ApprovalPrompts, type ApprovalPromptsOptions } from './approval-prompts.ts';
import { describeLasting } from './describe-lasting.ts';
import { presentApproval } from './present-approval.ts';

const signal = new AbortController().signal;
const digest = 'd'.repeat(64);
const otherDigest = 'e'.repeat(64);

type Called = Partial<Extract<StepToApprove, { readonly type: 'tool' }>['call']>;

function call(changed: Called = {}): StepToApprove {
  const called = { server: 'files', digest, tool: 'move', arguments: { from: '/a', to: '/b' }, warnings: [] };
  return {
    type: 'tool',
    call: { ...called, ...changed },
    reason: 'Tools of other servers are asked about.',
    timeMs: 0,
  };
}

function openDesk(answer: ApprovalAnswer, changed: Partial<ApprovalPromptsOptions> = {}) {
  const clock = new FakeClock();
  const approver = new ScriptedApprover({ clock, answer: () => ({ type: 'answered', answer }) });
  const store = approvalsInMemory();
  const place = { rules: [], directory: '/project', network: false, offersLasting: true };
  const options = { approver, store, clock, ...place, deadlineAtMs: clock.now() + 3_600_000, ...changed };
  return { desk: new ApprovalPrompts(options), approver, store, options };
}

/** How many questions two calls take. */
async function questionsFor(answer: ApprovalAnswer, second: Called): Promise<number> {
  const { desk, approver } = openDesk(answer);
  await desk.ask(call(), signal);
  await desk.ask(call(second), signal);
  return approver.questions.length;
}

describe('a call of a tool of another server', () => {
  it.each([
    ['once', 'the same call', {}, 2],
    ['run', 'the same tool', { arguments: { from: '/x' } }, 1],
    ['run', 'another tool', { tool: 'delete' }, 2],
    ['run', 'the tool of another server', { server: 'notes' }, 2],
    ['run', 'the tool of a server that is another by its settings', { digest: otherDigest }, 2],
    ['server', 'another tool of the server', { tool: 'delete' }, 1],
    ['server', 'a tool of another server', { server: 'notes' }, 2],
    ['server', 'a server that is another by its settings', { digest: otherDigest }, 2],
    ['always', 'the same tool', { arguments: {} }, 1],
    ['always', 'another tool', { tool: 'delete' }, 2],
  ] as const)('that was allowed (%s) covers for %s what it says', async (answer, _, second, questions) => {
    expect(await questionsFor(answer, second)).toBe(questions);
  });

  it('that was refused is refused for the rest of the run, and other arguments are asked about', async () => {
    expect(await questionsFor('no', {})).toBe(1);
    expect(await questionsFor('no', { arguments: { from: '/x' } })).toBe(2);
  });

  it.each([
    ['as it was', {}, 1],
    ['as another server under its name', { digest: otherDigest }, 2],
    ['with another tool', { tool: 'delete' }, 2],
  ] as const)('that was allowed for good is allowed in later runs for the server %s', async (_, second, questions) => {
    const { desk, approver, store, options } = openDesk('always');
    await desk.ask(call(), signal);
    const [kept] = await store.list(signal);
    expect(kept).toMatchObject({ directory: null, allows: { type: 'tool', server: 'files', tool: 'move', digest } });
    expect(kept === undefined ? '' : describeLasting(kept)).toBe('the tool move of files');
    await new ApprovalPrompts({ ...options, directory: '/elsewhere' }).ask(call(second), signal);
    expect(approver.questions).toHaveLength(questions);
  });

  it('is not covered by an approval of a command with the same words', async () => {
    const { desk, approver, store } = openDesk('no');
    await store.add(
      {
        directory: null,
        allows: { type: 'command', prefix: ['files', 'move'], network: true },
        allowedAtMs: 0,
      },
      signal,
    );
    await desk.ask(call(), signal);
    expect(approver.questions).toHaveLength(1);
  });

  it('is not allowed for good by those who share a server', async () => {
    const { desk, approver } = openDesk('always', { offersLasting: false });
    expect(await desk.ask(call(), signal)).toMatchObject({ allowed: false });
    expect(approver.questions).toMatchObject([{ lasting: null, wholeServer: 'every tool of files' }]);
  });

  it('is shown whole, with its warnings', async () => {
    const { desk, approver } = openDesk('no');
    const args = { to: '\u001b[2J\u202e', from: 'x\ny', deep: { n: [1] } };
    await desk.ask(call({ arguments: args, warnings: ['Its name looks like\nmove\u200b.'] }), signal);
    const [question] = approver.questions;
    const shown = question === undefined ? null : presentApproval(question);
    expect(shown?.message).toBe(
      [
        'Gemini asks to call the tool move of the server files',
        'Look out: Its name looks like move\\u{200b}.',
        '| {"deep":{"n":[1]},"from":"x\\ny","to":"\\u001b[2J\\u202e"}',
        'Why you are asked: Tools of other servers are asked about.',
        '"Allow its server until the run ends": every tool of files',
      ].join('\n'),
    );
    expect(shown?.choices).toEqual([
      { answer: 'once', label: 'Allow it this once' },
      { answer: 'run', label: 'Allow move of files until this run ends' },
      { answer: 'server', label: 'Allow its server until the run ends' },
      { answer: 'always', label: 'Allow always: the tool move of files' },
      { answer: 'no', label: 'No' },
    ]);
  });

  it('says how many warnings it does not show, and which command shows them', async () => {
    const { desk, approver } = openDesk('no');
    await desk.ask(call({ warnings: ['one', 'two', 'three', 'four', 'five', 'six'] }), signal);
    const [question] = approver.questions;
    const lines = question === undefined ? [] : (presentApproval(question)?.message.split('\n') ?? []);
    expect(lines.filter((line) => line.startsWith('Look out: '))).toEqual([
      'Look out: one',
      'Look out: two',
      'Look out: three',
      'Look out: four',
      'Look out: 2 more warnings are shown at a terminal by mcp list files',
    ]);
  });

  it('is refused unasked where its arguments are too long to be shown', async () => {
    const { desk, approver } = openDesk('once');
    expect(await desk.ask(call({ arguments: { text: 'x'.repeat(3_000) } }), signal)).toMatchObject({
      allowed: false,
      refusal: { code: 'needs-approval', hint: 'Call it with less at a time.' },
    });
    expect(approver.questions).toEqual([]);
  });

  it('is asked about alone where the name of its tool is too long to choose by', async () => {
    const { desk, approver } = openDesk('run');
    expect(await desk.ask(call({ tool: 'x'.repeat(150) }), signal)).toMatchObject({ allowed: false });
    expect(approver.questions).toMatchObject([{ kind: null, wholeServer: null, lasting: null }]);
  });
});
