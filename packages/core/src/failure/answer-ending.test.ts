import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnswerEnding, parseAnswerEnding } from './answer-ending.ts';

const blocked = (reason: string): AnswerEnding => ({ type: 'blocked', what: 'answer', reason });
const malformed = (reason: string): AnswerEnding => ({ type: 'malformed', reason });

describe('parseAnswerEnding', () => {
  it.each<[string, AnswerEnding]>([
    ['STOP', { type: 'complete' }],
    ['MAX_TOKENS', { type: 'output-limit' }],
    ['CONTINUATION', { type: 'output-limit' }],
    ...[
      'SAFETY',
      'RECITATION',
      'LANGUAGE',
      'OTHER',
      'BLOCKLIST',
      'PROHIBITED_CONTENT',
      'SPII',
      'IMAGE_SAFETY',
      'IMAGE_PROHIBITED_CONTENT',
      'IMAGE_RECITATION',
      'IMAGE_OTHER',
    ].map((reason): [string, AnswerEnding] => [reason, blocked(reason)]),
    ...['MALFORMED_FUNCTION_CALL', 'MALFORMED_RESPONSE', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS'].map(
      (reason): [string, AnswerEnding] => [reason, malformed(reason)],
    ),
    ['FINISH_REASON_UNSPECIFIED', { type: 'unknown', reason: 'FINISH_REASON_UNSPECIFIED' }],
    ['toString', { type: 'unknown', reason: 'toString' }],
    ['stop', { type: 'unknown', reason: 'stop' }],
  ])('%s (CUT-01, CUT-02)', (finishReason, ending) => {
    expect(parseAnswerEnding({ finishReason, blockReason: null })).toEqual(ending);
  });

  it('a stream that ended without a reason is unfinished', () => {
    expect(parseAnswerEnding({ finishReason: null, blockReason: null })).toEqual({ type: 'unfinished' });
  });

  it('a blocked prompt is blocked, whatever else was said', () => {
    expect(parseAnswerEnding({ finishReason: 'STOP', blockReason: 'JAILBREAK' })).toEqual({
      type: 'blocked',
      what: 'prompt',
      reason: 'JAILBREAK',
    });
  });

  it('no word but STOP makes an answer complete', () => {
    fc.assert(
      fc.property(fc.string(), (word) => {
        const { type } = parseAnswerEnding({ finishReason: word, blockReason: null });
        expect(type === 'complete').toBe(word === 'STOP');
      }),
    );
  });
});
