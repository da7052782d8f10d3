import { describe, expect, it } from 'vitest';
import type { AnswerEnding } from '../failure/answer-ending.ts';
import { endOfAnswer, failureOfEnding } from './end-of-answer.ts';

const complete: AnswerEnding = { type: 'complete' };
const blocked: AnswerEnding = { type: 'blocked', what: 'answer', reason: 'SAFETY' };
const blockedPrompt: AnswerEnding = { type: 'blocked', what: 'prompt', reason: 'SAFETY' };
const tooMany = 'Gemini reached its output limit before it wrote any text: its thoughts count too.';
const malformed: AnswerEnding = { type: 'malformed', reason: 'MALFORMED_FUNCTION_CALL' };
const bySafety = 'Finish reason of the API: SAFETY';
const byCall = 'Finish reason of the API: MALFORMED_FUNCTION_CALL';

describe('endOfAnswer', () => {
  it.each<[AnswerEnding]>([[complete], [{ type: 'output-limit' }], [{ type: 'unknown', reason: 'NEW' }]])(
    'is an answer if there is text: %j',
    (ending) => {
      expect(endOfAnswer({ ending, hasText: true })).toEqual({ type: 'answer', ending });
      const named = endOfAnswer({ ending, hasText: true, modelVersion: 'pro-002' });
      expect(named).toEqual({ type: 'answer', ending, modelVersion: 'pro-002' });
      expect(endOfAnswer({ ending, hasText: false })).toMatchObject({ failure: { kind: 'empty-answer' } });
    },
  );

  it.each<[AnswerEnding, boolean, object]>([
    [blocked, true, { kind: 'blocked', what: 'answer', excerpt: bySafety }],
    [blocked, false, { kind: 'blocked', what: 'answer', excerpt: bySafety }],
    [blockedPrompt, false, { kind: 'blocked', what: 'prompt', excerpt: 'Block reason of the API: SAFETY' }],
    [{ type: 'output-limit' }, false, { kind: 'empty-answer', excerpt: tooMany }],
    [malformed, true, { kind: 'malformed-output', excerpt: byCall }],
    [malformed, false, { kind: 'empty-answer', excerpt: byCall }],
    [{ type: 'unfinished' }, true, { kind: 'malformed-output', excerpt: '' }],
    [{ type: 'unfinished' }, false, { kind: 'empty-answer', excerpt: '' }],
  ])('is a failure for %j, with text: %j', (ending, hasText, failure) => {
    expect(endOfAnswer({ ending, hasText })).toEqual({ type: 'failure', failure });
  });
});

describe('failureOfEnding', () => {
  it('shows other text besides the reason, shortened', () => {
    expect(failureOfEnding({ ending: blocked, hasText: true }, 'x'.repeat(600))).toEqual({
      kind: 'blocked',
      what: 'answer',
      excerpt: `${bySafety}\n${'x'.repeat(467)}`,
    });
  });
});
