import { describe, expect, it } from 'vitest';
import { shippedCommandRules } from '../commands/shipped-command-rules.ts';
import type { ApprovalAnswer, ApprovalOutcome, ApprovalQuestion, StepToApprove } from '../ports/approver.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { approvalsInMemory } from '../testing/records-in-memory.ts';
import { ScriptedApprover } from '../testing/scripted-approver.ts';
import { ApprovalPrompts, type ApprovalPromptsOptions } from './approval-prompts.ts';
import { presentApproval } from './present-approval.ts';
import { planOf } from './testing/plan-of.ts';

const signal = new AbortController().signal;
const minute = 60_000;

type Answer = (question: ApprovalQuestion, signal: AbortSignal) => ApprovalOutcome | Promise<ApprovalOutcome>;

function openDesk(answer: Answer, changed: Partial<ApprovalPromptsOptions> = {}) {
  const clock = new FakeClock();
  const approver = new ScriptedApprover({ clock, answer });
  const store = approvalsInMemory();
  const deadlineAtMs = clock.now() + 60 * minute;
  const place = {
    rules: shippedCommandRules,
    directory: '/project',
    network: false,
    offersLasting: true,
    deadlineAtMs,
  };
  const options = { approver, store, clock, ...place, ...changed };
  return { desk: new ApprovalPrompts(options), approver, store, clock, options };
}

type CommandStep = Extract<StepToApprove, { type: 'command' }>;

const answered = (answer: ApprovalAnswer) => (): ApprovalOutcome => ({ type: 'answered', answer });
const never = (): Promise<ApprovalOutcome> => new Promise(() => undefined);

function command(line: string, directory: string | null = null): CommandStep {
  return { type: 'command', plan: planOf(line.split(' '), directory), reason: 'No rule speaks of it.', timeMs: 1_000 };
}

const change: StepToApprove = {
  type: 'change',
  change: { path: 'package.json', reason: 'Builds run it.', diff: '-a\n+b\n', beforeHash: 'f00' },
  timeMs: 0,
};

describe('an approval of a risk', () => {
  const risky = (line: string): CommandStep => ({ ...command(line), risk: 'not-undoable' });

  it('HOST-M4: covers that risk of further commands of the run, no other one, and nothing for good', async () => {
    const { desk, approver } = openDesk(answered('run'));
    expect(await desk.ask(risky('npm test'), signal)).toEqual({ allowed: true, by: 'answer' });
    expect(await desk.ask(risky('make'), signal)).toEqual({ allowed: true, by: 'earlier-answer' });
    expect(approver.questions).toMatchObject([
      { kind: 'each further command, though not all that it changes can be undone,', lasting: null },
    ]);
    await desk.ask({ ...risky('make'), risk: 'unmasked' }, signal);
    await desk.ask(command('npm install x'), signal);
    expect(approver.questions).toHaveLength(3);
  });

  it('HOST-M4: does not answer another question about the same command', async () => {
    let give: (outcome: ApprovalOutcome) => void = () => undefined;
    const { desk, approver } = openDesk(() => new Promise((resolve) => (give = resolve)));
    const both = [desk.ask(command('npm install x'), signal), desk.ask(risky('npm install x'), signal)];
    await expect.poll(() => approver.questions.length).toBe(1);
    give({ type: 'answered', answer: 'once' });
    await expect.poll(() => approver.questions.length).toBe(2);
    give({ type: 'answered', answer: 'no' });
    expect(await Promise.all(both)).toMatchObject([{ allowed: true }, { allowed: false }]);
  });
});

describe('an approval for once', () => {
  it('allows one step, and the next one is asked about again', async () => {
    const { desk, approver } = openDesk(answered('once'));
    expect(await desk.ask(command('npm install x'), signal)).toEqual({ allowed: true, by: 'answer' });
    expect(await desk.ask(command('npm install x'), signal)).toEqual({ allowed: true, by: 'answer' });
    expect(approver.questions).toHaveLength(2);
  });

  it('is shared by calls that wait for the same question, and by no call that comes later', async () => {
    let give: (outcome: ApprovalOutcome) => void = () => undefined;
    const { desk, approver } = openDesk(() => new Promise((resolve) => (give = resolve)));
    const both = [desk.ask(change, signal), desk.ask(change, signal)];
    await expect.poll(() => approver.questions.length).toBe(1);
    give({ type: 'answered', answer: 'once' });
    expect(await Promise.all(both)).toMatchObject([{ allowed: true }, { allowed: true }]);
    const later = desk.ask(change, signal);
    await expect.poll(() => approver.questions.length).toBe(2);
    give({ type: 'answered', answer: 'no' });
    expect(await later).toMatchObject({ allowed: false });
  });
});

describe('an approval for the run', () => {
  it('covers the same kind of command in the same directory, and nothing else', async () => {
    const { desk, approver, options } = openDesk(answered('run'));
    await desk.ask(command('npm install x'), signal);
    expect(await desk.ask(command('npm install y'), signal)).toEqual({ allowed: true, by: 'earlier-answer' });
    expect(approver.questions).toHaveLength(1);
    await desk.ask(command('npm publish'), signal);
    await desk.ask(command('npm install y', 'packages/a'), signal);
    expect(approver.questions).toHaveLength(3);
    const next = new ApprovalPrompts(options);
    await next.ask(command('npm install x'), signal);
    expect(approver.questions).toHaveLength(4);
  });

  it('of one part settles a question that waits for its turn', async () => {
    let give: (outcome: ApprovalOutcome) => void = () => undefined;
    const { desk, approver } = openDesk(() => new Promise((resolve) => (give = resolve)));
    const first = desk.ask(command('npm install x'), signal);
    const second = desk.ask(command('npm install y'), signal);
    await expect.poll(() => approver.questions.length).toBe(1);
    give({ type: 'answered', answer: 'run' });
    expect(await Promise.all([first, second])).toEqual([
      { allowed: true, by: 'answer' },
      { allowed: true, by: 'earlier-answer' },
    ]);
    expect(approver.questions).toHaveLength(1);
  });

  it.each([
    'npx vitest',
    'sh -c x',
    'python3.12 x.py',
    'BASH x',
    'node20 x',
    'tsx x.ts',
    'xargs rm',
    './script',
    'env x',
  ])('is not offered for %s, which can be anything', async (line) => {
    // As strict rules have it: nothing is allowed by itself.
    const { desk, approver } = openDesk(answered('run'), { rules: [] });
    expect(await desk.ask(command(line), signal)).toMatchObject({ allowed: false });
    expect(approver.questions).toMatchObject([{ kind: null, lasting: null }]);
  });

  it('is not offered for a change to a file', async () => {
    const { desk, approver } = openDesk(answered('run'));
    expect(await desk.ask(change, signal)).toMatchObject({ allowed: false, refusal: { code: 'needs-approval' } });
    expect(approver.questions).toMatchObject([{ kind: null, lasting: null }]);
  });

  it('is not offered for questions with another reason than the words', async () => {
    const { desk, approver } = openDesk(answered('run'));
    await desk.ask(command('npm test'), signal);
    const plan = planOf(['npm', 'install']);
    const [{ commands }] = plan.pipelines;
    const withVariable = { ...commands[0], assignments: [{ name: 'STRANGE', value: '1' }] };
    await desk.ask(
      {
        ...command('x'),
        type: 'command',
        reason: '',
        plan: { ...plan, pipelines: [{ when: 'always', commands: [withVariable] }] },
      },
      signal,
    );
    expect(approver.questions).toMatchObject([{ kind: null }, { kind: null }]);
  });
});

describe('a lasting approval', () => {
  it('is kept as the words and the directory alone, and holds in later runs until it is revoked', async () => {
    const { desk, approver, store, options, clock } = openDesk(answered('always'));
    await desk.ask(command('npm install x'), signal);
    const [kept] = await store.list(signal);
    expect(kept).toMatchObject({
      directory: '/project',
      allows: { type: 'command', prefix: ['npm', 'install'], network: false },
      allowedAtMs: clock.now(),
    });
    const next = new ApprovalPrompts(options);
    expect(await next.ask(command('npm install y z'), signal)).toEqual({ allowed: true, by: 'lasting-approval' });
    await next.ask(command('npm install y z'), signal);
    expect(next.records).toEqual([
      { about: 'npm install y z', reason: 'No rule speaks of it.', result: 'lasting-approval', note: '' },
    ]);
    expect(approver.questions).toHaveLength(1);
    await store.revoke(kept?.id ?? '', signal);
    await next.ask(command('npm install y z'), signal);
    expect(approver.questions).toHaveLength(2);
  });

  it.each([
    ['another directory', {}, { directory: '/project/packages' }],
    ['other words', { prefix: ['npm'] as const }, {}],
    ['more words', { prefix: ['npm', 'install', 'x'] as const }, {}],
    ['no network, in a run that has it', {}, { network: true }],
  ])('does not hold for %s', async (_, allows, place) => {
    const { desk, store } = openDesk(answered('no'), place);
    const prefix = ['npm', 'install'] as const;
    await store.add(
      {
        directory: '/project',
        allows: { type: 'command', prefix, network: false, ...allows },
        allowedAtMs: 0,
      },
      signal,
    );
    expect(await desk.ask(command('npm install x'), signal)).toMatchObject({ allowed: false });
  });

  it.each([['node'], ['sh'], ['npx'], ['python3', 'x.py']])(
    'that was written by hand for %j covers nothing: such a program runs whatever it is given',
    async (...prefix) => {
      const { desk, store } = openDesk(answered('no'), { rules: [] });
      const [program = '', ...others] = prefix;
      const allows = { type: 'command', prefix: [program, ...others], network: true } as const;
      await store.add({ directory: null, allows, allowedAtMs: 0 }, signal);
      expect(await desk.ask(command([...prefix, 'x'].join(' ')), signal)).toMatchObject({ allowed: false });
    },
  );

  it('is offered for one kind of command in the working directory itself', async () => {
    const { desk, approver } = openDesk(answered('no'));
    await desk.ask(command('npm install x'), signal);
    await desk.ask(command('npm install x', 'packages/a'), signal);
    expect(approver.questions.map(({ lasting }) => lasting)).toEqual([
      'npm install … in /project, without the network',
      null,
    ]);
  });

  it('is not offered to those who share a server, and holds for them', async () => {
    const { desk, approver, store } = openDesk(answered('always'), { offersLasting: false });
    expect(await desk.ask(command('npm install x'), signal)).toMatchObject({ allowed: false });
    expect(approver.questions).toMatchObject([{ kind: 'npm install …', lasting: null }]);
    const allows = { type: 'command', prefix: ['npm', 'add'], network: false } as const;
    await store.add({ directory: null, allows, allowedAtMs: 0 }, signal);
    expect(await desk.ask(command('npm add x'), signal)).toMatchObject({ allowed: true });
  });

  it('that cannot be kept allows for the run, and the account says so', async () => {
    const store = approvalsInMemory();
    store.add = async () => 'The disk is full.';
    const { desk } = openDesk(answered('always'), { store });
    expect(await desk.ask(command('npm install x'), signal)).toMatchObject({ allowed: true });
    expect(desk.records).toMatchObject([{ result: 'always', note: 'The disk is full.' }]);
    expect(await desk.ask(command('npm install y'), signal)).toMatchObject({ by: 'earlier-answer' });
  });
});

describe('no answer that allows', () => {
  it('is asked for a second time in a run', async () => {
    const { desk, approver } = openDesk(answered('no'));
    const refused = { allowed: false, refusal: { code: 'denied-by-user', retriable: false } };
    expect(await desk.ask(command('npm install x'), signal)).toMatchObject(refused);
    expect(await desk.ask(command('npm install x'), signal)).toMatchObject(refused);
    expect(approver.questions).toHaveLength(1);
  });

  it('comes from a user who cannot be asked: the refusal says what can be done', async () => {
    const { desk } = openDesk(() => ({ type: 'cannot-ask', text: 'This client shows no questions.' }));
    expect(await desk.ask(command('npm install x'), signal)).toMatchObject({
      refusal: {
        code: 'needs-approval',
        message: 'No rule speaks of it. The user has to allow it, and cannot be asked. This client shows no questions.',
      },
    });
    expect(desk.records).toMatchObject([{ result: 'cannot-ask', note: 'This client shows no questions.' }]);
  });

  it('a concurrent approval at a terminal does not count', async () => {
    const { desk, store } = openDesk(() => ({ type: 'cannot-ask', text: 'This client shows no questions.' }));
    expect(await desk.ask(command('npm install x'), signal)).toMatchObject({ allowed: false });
    const allows = { type: 'command', prefix: ['npm', 'install'], network: false } as const;
    await store.add({ directory: '/project', allows, allowedAtMs: 0 }, signal);
    expect(await desk.ask(command('npm install x'), signal)).toEqual({ allowed: true, by: 'lasting-approval' });
  });

  it('comes after 20 questions', async () => {
    const { desk, approver } = openDesk(answered('once'));
    for (let count = 0; count < 20; count += 1) {
      expect(await desk.ask(command('npm install x'), signal)).toMatchObject({ allowed: true });
    }
    expect(await desk.ask(command('npm install x'), signal)).toMatchObject({
      allowed: false,
      refusal: { code: 'needs-approval' },
    });
    expect(approver.questions).toHaveLength(20);
  });

  it('comes for a text that is too long to show whole', async () => {
    const { desk, approver } = openDesk(answered('once'));
    const long = await desk.ask(command(`npm install ${'x'.repeat(3_000)}`), signal);
    expect(long).toMatchObject({ allowed: false, refusal: { code: 'needs-approval' } });
    expect(approver.questions).toEqual([]);
  });

  it('HOST-M8: comes for a change that cannot be shown line by line, with the remedy', async () => {
    const { desk, approver } = openDesk(answered('once'));
    const lines = [...Array.from({ length: 5_000 }, (_, index) => `+"a${index}": 1,`), '+"postinstall": "./x"'];
    const long = { path: 'package.json', reason: 'Builds run it.', diff: lines.join('\n'), beforeHash: null };
    expect(await desk.ask({ type: 'change', change: long, timeMs: 0 }, signal)).toMatchObject({
      allowed: false,
      refusal: { code: 'needs-approval', hint: 'Write less at once: make it in several smaller changes.' },
    });
    expect(approver.questions).toEqual([]);
  });

  it('HOST-M8: asks about a command that writes a file with all of the command, and for this once alone', async () => {
    const { desk, approver } = openDesk(answered('once'));
    const step = { ...command('npm install x'), reason: 'Builds run it.', writes: 'package.json' } as StepToApprove;
    expect(await desk.ask(step, signal)).toMatchObject({ allowed: true });
    const [question] = approver.questions;
    const shown = question === undefined ? null : presentApproval(question);
    expect(shown?.message).toContain('| npm install x\n');
    expect(shown?.message).toContain('content not known yet: package.json\n');
    expect(shown?.choices.map(({ answer }) => answer)).toEqual(['once', 'no']);
  });
});

describe('the time for an answer', () => {
  it.each([
    ['five minutes', 1_000, 60 * minute, 5 * minute],
    ['no longer than the run', 1_000, 2 * minute, 2 * minute],
    ['no longer than call and command together may take', 500_000, 60 * minute, 40_000],
  ])('is %s', async (_, timeMs, runMs, expectedMs) => {
    const clock = new FakeClock();
    const approver = new ScriptedApprover({ clock, answer: never });
    const { desk } = openDesk(never, { clock, approver, deadlineAtMs: clock.now() + runMs });
    const asked = desk.ask({ ...command('npm install x'), timeMs }, signal);
    await clock.advance(expectedMs - 1);
    expect(clock.sleeping).toBeGreaterThan(0);
    await clock.advance(1);
    expect(await asked).toMatchObject({ allowed: false, refusal: { code: 'needs-approval' } });
    expect(clock.sleeping).toBe(0);
  });

  it('ends with the call: the question is taken back, and no answer counts any more', async () => {
    const cancellation = new AbortController();
    let asking: AbortSignal | null = null;
    let give: (outcome: ApprovalOutcome) => void = () => undefined;
    const { desk, approver } = openDesk((_, questionSignal) => {
      asking = questionSignal;
      return new Promise((resolve) => (give = resolve));
    });
    const asked = desk.ask(command('npm install x'), cancellation.signal);
    await expect.poll(() => approver.questions.length).toBe(1);
    cancellation.abort();
    expect(asking).toMatchObject({ aborted: true });
    give({ type: 'answered', answer: 'run' });
    expect(await asked).toMatchObject({ allowed: false, refusal: { code: 'cancelled' } });
    const again = desk.ask(command('npm install x'), signal);
    await expect.poll(() => approver.questions.length).toBe(2);
    give({ type: 'answered', answer: 'no' });
    expect(await again).toMatchObject({ allowed: false });
  });

  it('continues for the other waiting calls when one is cancelled', async () => {
    const cancellation = new AbortController();
    let give: (outcome: ApprovalOutcome) => void = () => undefined;
    const { desk, approver } = openDesk(() => new Promise((resolve) => (give = resolve)));
    const first = desk.ask(change, cancellation.signal);
    const second = desk.ask(change, signal);
    await expect.poll(() => approver.questions.length).toBe(1);
    cancellation.abort();
    expect(await first).toMatchObject({ allowed: false, refusal: { code: 'cancelled' } });
    give({ type: 'answered', answer: 'once' });
    expect(await second).toMatchObject({ allowed: true });
  });
});
