import { type AnswerEnding, classifyOutcome } from '@gemini-mcp/core';
import { expect, it } from 'vitest';
import {
  collectEvents,
  expectFreshRun,
  type GeminiRunnerHarness,
  manyRunsTimeoutMs,
  type OpenGeminiRunner,
  outcomeOf,
  type Situation,
  textOf,
} from './gemini-runner-harness.ts';

const half = 'canary of half an answer';

/** Answers with text that the model did not end as one that is whole, and what becomes of them. */
const endings: Readonly<Record<string, { readonly ending: AnswerEnding; readonly failure: object | null }>> = {
  MAX_TOKENS: { ending: { type: 'output-limit' }, failure: null },
  A_NEW_REASON: { ending: { type: 'unknown', reason: 'A_NEW_REASON' }, failure: null },
  ...Object.fromEntries(
    ['SAFETY', 'RECITATION', 'LANGUAGE', 'OTHER', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'].map((reason) => [
      reason,
      { ending: { type: 'blocked', what: 'answer', reason }, failure: { kind: 'blocked', what: 'answer' } },
    ]),
  ),
  ...Object.fromEntries(
    ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL'].map((reason) => [
      reason,
      { ending: { type: 'malformed', reason }, failure: { kind: 'malformed-output' } },
    ]),
  ),
};

/** What a runner owes of how the model ended its answer. */
export function describeGeminiRunnerAnswerEndings(open: OpenGeminiRunner): void {
  it('says that an answer is complete, and which model gave it', async () => {
    const harness = await open({ type: 'answer', chunks: ['whole', ' answer'] });
    const outcome = outcomeOf(await collectEvents(harness, { model: 'gemini-2.5-pro' }));
    expect(outcome).toMatchObject({ ending: { type: 'complete' }, modelVersion: 'gemini-2.5-pro' });
    expect(await harness.leftovers()).toEqual([]);
  });

  it(
    'says how the model ended an answer that is not complete, of each of many at once, and keeps its text (CUT-01, CUT-02)',
    async () => {
      const harness = await open({ type: 'empty' });
      const names = Object.keys(endings);
      const runs = await runAll(harness, names, (finishReason) => ({ type: 'ended', finishReason, chunks: [half] }));
      expect(runs).toEqual(
        names.map((name) => ({
          text: half,
          ending: endings[name]?.ending,
          failure: endings[name]?.failure && expect.objectContaining(endings[name].failure),
        })),
      );
      await expectFreshRun(harness, [...names, half]);
    },
    manyRunsTimeoutMs,
  );

  it('tells a blocked prompt from a blocked answer (CUT-03)', async () => {
    const harness = await open({ type: 'blocked', what: 'prompt' });
    expect(classifyOutcome(outcomeOf(await collectEvents(harness)))).toMatchObject({ kind: 'blocked', what: 'prompt' });
    harness.arrange(() => ({ type: 'blocked', what: 'answer' }));
    expect(classifyOutcome(outcomeOf(await collectEvents(harness)))).toMatchObject({ kind: 'blocked', what: 'answer' });
    expect(await harness.leftovers()).toEqual([]);
  });
}

type Ended = { readonly text: string; readonly ending: AnswerEnding | undefined; readonly failure: object | null };

async function runAll(
  harness: GeminiRunnerHarness,
  inputs: readonly string[],
  choose: (input: string) => Situation,
): Promise<readonly Ended[]> {
  harness.arrange(choose);
  return Promise.all(
    inputs.map(async (input) => {
      const events = await collectEvents(harness, { input });
      const outcome = outcomeOf(events);
      return { text: textOf(events), ending: outcome.ending, failure: classifyOutcome(outcome) };
    }),
  );
}
