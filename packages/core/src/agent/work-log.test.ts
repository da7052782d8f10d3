import { expect, it } from 'vitest';
import type { WorkStep } from '../ports/run-step.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { WorkLog } from './work-log.ts';

const budget = { maxSteps: 3, maxWrittenBytes: 1_000, maxTokens: 1_000_000 };
const step = { tool: 'view_file', subject: 'a.ts', changes: false, takesLong: false, writtenBytes: 0 };

function open(log: WorkLog, known: Partial<typeof step> = {}) {
  const begun = log.begin({ ...step, ...known });
  if ('code' in begun) {
    throw new Error(begun.message);
  }
  return begun;
}

it('reports each step when it has ended, and a long one also when it begins', async () => {
  const clock = new FakeClock();
  const told: WorkStep[] = [];
  const log = new WorkLog({ clock, budget, onStep: (one) => told.push(one) });
  const first = open(log, { tool: 'run_command', subject: 'npm test', takesLong: true });
  await clock.advance(2_000);
  first.end({ type: 'done', summary: 'exit 1' });
  open(log).end({ type: 'refused', refusal: { code: 'not-found', message: 'There is no such file.' } });
  expect(told).toEqual([
    { number: 1, tool: 'run_command', subject: 'npm test', outcome: null, durationMs: 0 },
    {
      number: 1,
      tool: 'run_command',
      subject: 'npm test',
      outcome: { type: 'done', summary: 'exit 1' },
      durationMs: 2_000,
    },
    {
      number: 2,
      tool: 'view_file',
      subject: 'a.ts',
      outcome: { type: 'refused', refusal: { code: 'not-found', message: 'There is no such file.' } },
      durationMs: 0,
    },
  ]);
});

it('refuses steps beyond the budget, and calls for an end where the model goes on all the same', () => {
  let ends = 0;
  const onExhausted = (): void => {
    ends += 1;
  };
  const log = new WorkLog({ clock: new FakeClock(), budget, onExhausted });
  for (let count = 0; count < 3; count += 1) {
    open(log).end({ type: 'done', summary: '' });
  }
  for (let count = 0; count < 7; count += 1) {
    expect(log.begin(step)).toMatchObject({ code: 'out-of-budget', retriable: false });
  }
  expect(ends).toBe(0);
  log.begin(step);
  log.begin(step);
  expect(ends).toBe(1);
  expect(log.account).toMatchObject({ steps: 3, overBudget: 'The run has used up the 3 steps of its budget.' });
});

it('reckons that each step sends the conversation again', () => {
  const log = new WorkLog({ clock: new FakeClock(), budget });
  log.exchanged(400);
  open(log);
  log.exchanged(400);
  open(log);
  expect(log.account.tokens).toBe(300);
});

it('keeps one entry for a command that was started and asked for again', () => {
  const log = new WorkLog({ clock: new FakeClock(), budget });
  const report = { handle: 'c1', end: null, output: '', outputBytes: 0, durationMs: 5, changes: [] };
  log.reported('npm test', report);
  expect(log.runningHandles).toEqual(['c1']);
  log.reported('', { ...report, end: { type: 'exited', exitCode: 0 }, handle: null, durationMs: 90 }, 'c1');
  expect(log.runningHandles).toEqual([]);
  expect(log.account.commands).toEqual({
    first: [{ command: 'npm test', end: { type: 'exited', exitCode: 0 }, durationMs: 90 }],
    count: 1,
  });
});

it('remembers of 10,000 steps no more than an account shows, and how many there were', () => {
  const log = new WorkLog({ clock: new FakeClock(), budget: { ...budget, maxSteps: 10_000 } });
  for (let count = 0; count < 10_000; count += 1) {
    open(log, { changes: true }).end({ type: 'refused', refusal: { code: 'no-match', message: 'x' } });
  }
  expect(log.account).toMatchObject({ steps: 10_000, refusals: { count: 10_000 } });
  expect(log.account.refusals.first).toHaveLength(100);
});

it('lists what lasts for an attempt that comes later, and what does not last it leaves out', () => {
  const log = new WorkLog({ clock: new FakeClock(), budget });
  open(log).end({ type: 'done', summary: '3 lines' });
  open(log, { tool: 'put_file', changes: true }).end({ type: 'done', summary: '+1 -0' });
  open(log, { tool: 'put_file', changes: true }).end({ type: 'refused', refusal: { code: 'protected', message: '' } });
  expect(log.lasting).toEqual(['put_file a.ts: +1 -0']);
});
