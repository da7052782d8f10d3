import type { RunEnd } from '@gemini-mcp/core';
import { expect } from 'vitest';
import { collectEvents, endOf, failureOf, textOf } from '../runner-places/collect-events.ts';
import { expectFreshRun } from '../runner-places/expect-fresh-run.ts';
import {
  type GeminiRunnerHarness,
  type GeminiRunnerSubject,
  manyRuns,
  type Situation,
} from './gemini-runner-harness.ts';

const half = 'canary of half an answer';

/** Answers with text that the model did not end as one that is whole, and what becomes of them. */
const ends: Readonly<Record<string, object>> = {
  MAX_TOKENS: { type: 'answer', ending: { type: 'output-limit' } },
  A_NEW_REASON: { type: 'answer', ending: { type: 'unknown', reason: 'A_NEW_REASON' } },
  ...Object.fromEntries(
    ['SAFETY', 'RECITATION', 'LANGUAGE', 'OTHER', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'].map((reason) => [
      reason,
      failure(reason, { kind: 'blocked', what: 'answer' }),
    ]),
  ),
  ...Object.fromEntries(
    ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL'].map((reason) => [
      reason,
      failure(reason, { kind: 'malformed-output' }),
    ]),
  ),
};

/** Says the API's word for it. */
function failure(reason: string, known: object): object {
  const excerpt = expect.stringContaining(reason);
  return { type: 'failure', failure: expect.objectContaining({ ...known, excerpt }) };
}

/** What a runner owes of how the model ended its answer. */
export function describeGeminiRunnerAnswerEndings({ proof, open }: GeminiRunnerSubject): void {
  proof.promise('says that an answer is complete, and which model gave it', async () => {
    const harness = await open({ type: 'answer', chunks: ['whole', ' answer'] });
    const { handledBy, ...end } = endOf(await collectEvents(harness, { model: 'gemini-2.5-pro' }));
    expect(end).toEqual({ type: 'answer', ending: { type: 'complete' }, modelVersion: 'gemini-2.5-pro' });
    expect(await harness.leftovers()).toEqual([]);
  });

  proof.promise(
    'says how the model ended an answer that is not complete, of each of many at once, and keeps its text (CUT-01, CUT-02)',
    async () => {
      const harness = await open({ type: 'empty' });
      const names = Object.keys(ends);
      const runs = await runAll(harness, names, (finishReason) => ({ type: 'ended', finishReason, chunks: [half] }));
      expect(runs).toEqual(names.map((name) => ({ text: half, end: expect.objectContaining(ends[name] ?? {}) })));
      await expectFreshRun(harness, [...names, half]);
    },
    manyRuns,
  );

  proof.promise('tells a blocked prompt from a blocked answer (CUT-03)', async () => {
    const harness = await open({ type: 'blocked', what: 'prompt' });
    expect(failureOf(await collectEvents(harness))).toMatchObject({ kind: 'blocked', what: 'prompt' });
    harness.arrange(() => ({ type: 'blocked', what: 'answer' }));
    expect(failureOf(await collectEvents(harness))).toMatchObject({ kind: 'blocked', what: 'answer' });
    expect(await harness.leftovers()).toEqual([]);
  });
}

type Ended = { readonly text: string; readonly end: RunEnd };

async function runAll(
  harness: GeminiRunnerHarness,
  inputs: readonly string[],
  choose: (input: string) => Situation,
): Promise<readonly Ended[]> {
  harness.arrange(choose);
  return Promise.all(
    inputs.map(async (input) => {
      const events = await collectEvents(harness, { input });
      return { text: textOf(events), end: endOf(events) };
    }),
  );
}
