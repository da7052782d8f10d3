import { expect } from 'vitest';
import type { GeminiRunnerHarness } from '../gemini-runner/gemini-runner-harness.ts';
import { collectEvents, failureOf, textOf } from './collect-events.ts';

/**
 ** An ended run leaves no traces and affects no later one. With a process for each run, only files and processes could
 * remain.
 */
export async function expectNoTraces(harness: GeminiRunnerHarness, before: readonly string[]): Promise<void> {
  expect(await harness.leftovers()).toEqual([]);
  if (harness.runner.capabilities.warmStart) {
    await expectFreshRun(harness, before);
  }
}

/** The next run on the same runner answers, and its request contains no text of earlier runs. */
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
