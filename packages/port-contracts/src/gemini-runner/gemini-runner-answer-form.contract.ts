import { plainRunSettings, type RunRequest, type ThinkingLevel } from '@gemini-mcp/core';
import { expect } from 'vitest';
import { collectEvents, failureOf } from '../runner-places/collect-events.ts';
import type { CarriedContext, GeminiRunnerHarness, GeminiRunnerSubject } from './gemini-runner-harness.ts';

/** Such as every way of holding an answer to a schema takes whole. */
const schemas = {
  one: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  other: { type: 'array', items: { type: 'integer' } },
} as const;

const levels: readonly ThinkingLevel[] = ['low', 'medium', 'high'];

/** What a runner owes that can hold an answer to a schema, or say how much Gemini is to think. */
export function describeGeminiRunnerAnswerForm({ proof, open }: GeminiRunnerSubject): void {
  proof.promise('holds the answer of each request to its schema, and to that one alone', async () => {
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

  proof.promise('lets the model think as much as each request says, and no other', async () => {
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
    expect([told.at(0), told.at(-1)], 'what requests without it were told').toEqual([undefined, undefined]);
    expect(new Set(told).size, `different words for ${levels.join(', ')} and none`).toBe(levels.length + 1);
  });
}

/** What reached the model with each request; null where that is not seen. */
async function seenOf(
  harness: GeminiRunnerHarness,
  requests: readonly Partial<RunRequest>[],
): Promise<readonly CarriedContext[] | null> {
  for (const request of requests) {
    expect(failureOf(await collectEvents(harness, request))).toBeNull();
  }
  return harness.carried?.() ?? null;
}
