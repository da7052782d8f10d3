import { expect } from 'vitest';
import type { GeminiRunnerHarness } from '../gemini-runner/gemini-runner-harness.ts';
import { collectEvents, failureOf, textOf } from './collect-events.ts';

/**
 * A run that is over has left nothing, and touches no later one. Where each run has a process of its own, what is left could
 * only be files and processes.
 */
export async function expectNoTraces(harness: GeminiRunnerHarness, before: readonly string[]): Promise<void> {
  expect(await harness.leftovers()).toEqual([]);
  if (harness.runner.capabilities.warmStart) {
    await expectFreshRun(harness, before);
  }
}

/** The next run on the same runner answers, and what reaches the model with it holds none of the texts of runs before. */
export async function expectFreshRun(harness: GeminiRunnerHarness, before: readonly string[]): Promise<void> {
  expect(await harness.leftovers()).toEqual([]);
  const count = harness.received().length;
  harness.arrange(() => ({ type: 'answer', chunks: ['a fresh', ' answer'] }));
  const events = await collectEvents(harness, { input: 'A fresh question' });
  expect(failureOf(events)).toBeNull();
  expect(textOf(events)).toBe('a fresh answer');
  expect(harness.received().slice(count)).toEqual(['A fresh question']);
  const carried = harness.carried?.().at(-1);
  expect(carried?.history ?? []).toEqual([]);
  expect(before.filter((text) => carried?.whole.includes(text))).toEqual([]);
  expect(await harness.leftovers()).toEqual([]);
}
