import { expect, it } from 'vitest';
import { nextAllowance } from './work-budget.ts';

const budget = { maxSteps: 3, maxWrittenBytes: 1_000, maxTokens: 5_000 };
const spend = { steps: 2, writtenBytes: 900, tokens: 4_999 };

it('allows a step while there is something left of everything', () => {
  expect(nextAllowance(budget, spend, 100)).toEqual({ allowed: true });
});

it.each([
  ['steps', { ...spend, steps: 3 }, 0, 'The run has used up the 3 steps of its budget.'],
  ['tokens', { ...spend, tokens: 5_000 }, 0, 'The run has used up the 5,000 tokens of its budget.'],
  ['bytes', spend, 101, 'The run has used up the 1,000 bytes that may be written of its budget.'],
])('allows no step without %s left, and says so', (_, spent, writtenBytes, reason) => {
  expect(nextAllowance(budget, spent, writtenBytes)).toEqual({ allowed: false, reason });
});

it('lets a step read that has no bytes left to write', () => {
  expect(nextAllowance(budget, { ...spend, writtenBytes: 1_000 }, 0)).toEqual({ allowed: true });
});
