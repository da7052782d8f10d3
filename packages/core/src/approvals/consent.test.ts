import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApprovalOutcome, Approver } from '../ports/approver.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { approvalsInMemory } from '../testing/records-in-memory.ts';
import { ApprovalPrompts } from './approval-prompts.ts';
import { planOf } from './testing/plan-of.ts';

const signal = new AbortController().signal;
const words = fc.constantFrom(
  ...['once', 'run', 'always', 'no', 'ONCE', 'once ', '', 'yes', 'accept', 'answered', 'tool', 'toString'],
);
const anyOutcome = fc.oneof(
  fc.anything(),
  fc.record({ type: words, answer: words, reason: words, text: words }, { requiredKeys: [] }),
  fc.record({ type: fc.constant('answered'), answer: fc.oneof(words, fc.anything()) }),
  fc.record({ type: fc.constantFrom('cannot-ask', 'unanswered'), answer: words, text: words, reason: words }),
);

function isConsent(told: unknown, offered: readonly string[]): boolean {
  return (
    typeof told === 'object' &&
    told !== null &&
    'type' in told &&
    told.type === 'answered' &&
    'answer' in told &&
    offered.some((answer) => answer === told.answer)
  );
}

describe('ASK-02: consent', () => {
  it.each([
    ['npm install x', ['once', 'run', 'always']],
    ['npx x', ['once']],
  ])('to %s is an explicit answer that was offered, and nothing else', async (line, offered) => {
    await fc.assert(
      fc.asyncProperty(anyOutcome, async (told) => {
        // What a wrong approver says, in spite of its type.
        const approver: Approver = { ask: async () => told as ApprovalOutcome };
        const clock = new FakeClock();
        const desk = new ApprovalPrompts({
          approver,
          store: approvalsInMemory(),
          clock,
          rules: [],
          directory: '/project',
          network: false,
          offersLasting: true,
          deadlineAtMs: clock.now() + 1_000,
        });
        const { allowed } = await desk.ask(
          { type: 'command', plan: planOf(line.split(' ')), reason: '', timeMs: 0 },
          signal,
        );
        expect(allowed).toBe(isConsent(told, offered));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('broken'))],
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
  ])('does not implement the approver: %s', async (_, ask) => {
    const clock = new FakeClock();
    const store = approvalsInMemory();
    const place = {
      rules: [],
      directory: '/project',
      network: false,
      offersLasting: true,
      deadlineAtMs: clock.now() + 1_000,
    };
    const desk = new ApprovalPrompts({ approver: { ask }, store, clock, ...place });
    expect(await desk.ask({ type: 'command', plan: planOf(['x']), reason: '', timeMs: 0 }, signal)).toMatchObject({
      allowed: false,
    });
  });
});
