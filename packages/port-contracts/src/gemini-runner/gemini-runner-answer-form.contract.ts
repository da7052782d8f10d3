import { plainRunSettings, type RunEvent, type RunRequest, type ThinkingLevel } from '@gemini-mcp/core';
import { expect } from 'vitest';
import { collectEvents, failureOf } from '../runner-places/collect-events.ts';
import type { CarriedContext, GeminiRunnerHarness, GeminiRunnerSubject } from './gemini-runner-harness.ts';

/** Schemas that every technique accepts whole. */
const schemas = {
  one: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  other: { type: 'array', items: { type: 'integer' } },
} as const;

const levels: readonly ThinkingLevel[] = ['low', 'medium', 'high'];

/** The promises of a runner that holds answers to a schema or sets how much Gemini thinks. */
export function describeGeminiRunnerAnswerForm({ proof, open }: GeminiRunnerSubject): void {
  proof.promise('holds the answer of each request to its own schema', async () => {
    const harness = await open({ type: 'answer', chunks: ['{"name": "fox"}'] });
    if (harness.runner.capabilities.answerSchema !== true) {
      return proof.skip('declares no schema of an answer');
    }
    const seen = await seenOf(harness, [
      { input: 'before' },
      ...Object.entries(schemas).map(([input, answerSchema]) => ({ input, answerSchema })),
      { input: 'after' },
    ]);
    expect(
      seen?.map(({ answerSchema }) => answerSchema) ?? proof.skip('what reaches the model is not seen here'),
    ).toEqual([undefined, schemas.one, schemas.other, undefined]);
  });

  proof.promise('lets the model think as much as each request says', async () => {
    const harness = await open({ type: 'answer', chunks: ['ok'] });
    if (harness.runner.capabilities.thinking !== true) {
      return proof.skip('cannot say how much is thought');
    }
    const seen = await seenOf(harness, [
      { input: 'before' },
      ...levels.map((thinking) => ({ input: thinking, settings: { ...plainRunSettings, thinking } })),
      { input: 'after' },
    ]);
    const told = seen?.map(({ thinking }) => thinking) ?? proof.skip('what reaches the model is not seen here');
    expect([told.at(0), told.at(-1)], 'levels of requests without one').toEqual([undefined, undefined]);
    expect(new Set(told).size, `different words for ${levels.join(', ')} and the default`).toBe(levels.length + 1);
  });

  proof.promise('asks at the flexible tier if the request says so, and tells it', async () => {
    const harness = await open({ type: 'answer', chunks: ['ok'] });
    if (harness.runner.capabilities.flexibleTier !== true) {
      return proof.skip('has no flexible tier');
    }
    const settings = { ...plainRunSettings, serviceTier: 'flexible' } as const;
    const [plain, flexible] = [await collectEvents(harness, {}), await collectEvents(harness, { settings })];
    const noticesIn = (events: readonly RunEvent[]): number => events.filter(({ type }) => type === 'notice').length;
    expect(noticesIn(flexible), 'notices').toBe(noticesIn(plain) + 1);
    const tiers = harness.carried?.()?.map(({ serviceTier }) => serviceTier !== undefined);
    expect(tiers ?? proof.skip('what reaches the model is not seen here')).toEqual([false, true]);
  });
}

/** What reached the model with each request; null if the harness does not see it. */
async function seenOf(
  harness: GeminiRunnerHarness,
  requests: readonly Partial<RunRequest>[],
): Promise<readonly CarriedContext[] | null> {
  for (const request of requests) {
    expect(failureOf(await collectEvents(harness, request))).toBeNull();
  }
  return harness.carried?.() ?? null;
}
