import { AskForJson, AskGemini, ReviewChange } from '@gemini-mcp/core';
import { FakeChangeReader, FakeClock, InMemoryContextResolver, ScriptedGeminiRunner } from '@gemini-mcp/core/testing';
import type { ReviewMode } from '../../command-line/read-review-words.ts';
import type { ReviewRun } from '../run-review.ts';

const plainReview: ReviewMode = {
  ...{ kind: 'review', change: null, format: 'text', severity: 'low', failOn: 'low', focus: null, model: null },
  ...{ baselineFile: null, maxCost: null, posts: false },
};

/** A review of a change in memory, which Gemini answers with these findings. */
export function createReviewScene(findings: readonly object[], more: Partial<ReviewMode> = {}) {
  const clock = new FakeClock();
  const chunks = [JSON.stringify({ summary: 'A change.', findings })];
  const usage = [{ model: 'gemini-3.8-flash', inputTokens: 100, outputTokens: 10 }];
  const runner = new ScriptedGeminiRunner({
    clock,
    capabilities: { answerSchema: true },
    script: () => ({ chunks, usage }),
  });
  const modelChain = ['gemini-3.8-flash'] as const;
  const resolver = new InMemoryContextResolver({ tree: {}, clock });
  const parts = { clock, resolver, runner, modelChain, random: () => 0, boundaryOf: () => 'b0' };
  const askForJson = new AskForJson({ clock, runner, askGemini: new AskGemini(parts) });
  const changes = new FakeChangeReader({ before: { 'a.ts': 'old();\n' }, after: { 'a.ts': 'bad();\n' } });
  const told: string[] = [];
  const run: ReviewRun = {
    mode: { ...plainReview, ...more },
    reviews: {
      reviewChange: new ReviewChange({ clock, askForJson, changes, boundaryOf: () => 'b0' }),
      ...{ owner: 'ada', place: { directory: '/project', roots: ['/project'] }, models: modelChain, timeoutMs: 60_000 },
    },
    known: new Set(),
    version: '1.2.3',
    tell: (line) => void told.push(line),
  };
  return { run, told, runner };
}

/** As Gemini writes it. */
export const rawFinding = {
  ...{ path: 'a.ts', first_line: 1, last_line: 1, severity: 'high', category: 'bug', confidence: 'high' },
  ...{ title: 'It is bad.', why: 'It fails.', evidence: 'bad();', old_text: '', new_text: '' },
};
