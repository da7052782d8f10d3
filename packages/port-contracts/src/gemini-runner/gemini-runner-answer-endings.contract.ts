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

/** Answers whose text looks complete although the model did not finish, and how they end. */
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

/** Sends the API's word for it. */
function failure(reason: string, known: object): object {
  const excerpt = expect.stringContaining(reason);
  return { type: 'failure', failure: expect.objectContaining({ ...known, excerpt }) };
}

/** How a runner reports the end of an answer. */
export function describeGeminiRunnerAnswerEndings({ proof, open }: GeminiRunnerSubject): void {
  proof.promise('reports a complete answer and the model that gave it', async () => {
    const harness = await open({ type: 'answer', chunks: ['whole', ' answer'] });
    const { handledBy, ...end } = endOf(await collectEvents(harness, { model: 'gemini-2.5-pro' }));
    expect(end).toEqual({ type: 'answer', ending: { type: 'complete' }, modelVersion: 'gemini-2.5-pro' });
    expect(await harness.leftovers()).toEqual([]);
  });

  proof.promise(
    'reports how each of many concurrent answers ended early, and keeps its text (CUT-01, CUT-02)',
    async () => {
      const harness = await open({ type: 'empty' });
      const names = Object.keys(ends);
      const runs = await runAll(harness, names, (finishReason) => ({ type: 'ended', finishReason, chunks: [half] }));
      expect(runs).toEqual(names.map((name) => ({ text: half, end: expect.objectContaining(ends[name] ?? {}) })));
      await expectFreshRun(harness, [...names, half]);
    },
    manyRuns,
  );

  proof.promise('distinguishes a blocked prompt from a blocked answer (CUT-03)', async () => {
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
