import { describe, expect, it } from 'vitest';
import { readPromptReply } from './prompt-recorder.ts';

const usage = [{ model: 'gemini-2.5-pro', inputTokens: 3, outputTokens: 1 }];

function ended(stopReason: string, isCounted = true) {
  const model_usage = isCounted
    ? [{ model: 'gemini-2.5-pro', token_count: { input_tokens: 3, output_tokens: 1 } }]
    : [];
  return { ok: true, result: { stopReason, _meta: { quota: { model_usage } } } } as const;
}

function failed(code: number, message: string) {
  return { ok: false, closed: false, code, message } as const;
}

const nothing = { completion: 'missing', httpStatus: null, messages: [], usage: [] };
const error = { ...nothing, completion: 'error' };
const success = { ...nothing, completion: 'success', stopReason: 'end_turn' };

describe('the answer to a prompt', () => {
  it.each([
    ['an answer', ended('end_turn'), true, { ...success, usage }],
    ['no text', ended('end_turn'), false, { ...success, usage }],
    ['no text and nothing counted', ended('end_turn', false), false, success],
    ['a stream without its end', ended('end_turn', false), true, { ...success, ending: { type: 'unfinished' } }],
    ['a message over the window', ended('max_tokens'), false, { ...error, usage, stopReason: 'max_tokens' }],
    ['too many turns', ended('max_turn_requests'), true, { ...error, usage, stopReason: 'max_turn_requests' }],
    ['a cancel', ended('cancelled'), true, { ...error, usage, stopReason: 'cancelled' }],
    [
      'a reason that is not known',
      ended(`x${'y'.repeat(500)}`),
      true,
      { ...error, usage, stopReason: `x${'y'.repeat(99)}` },
    ],
  ])('of %s', (_, reply, hasText, ending) => {
    expect(readPromptReply(reply, hasText)).toEqual(ending);
  });

  it.each([
    [
      429,
      'You have exhausted your daily quota on this model.',
      429,
      'You have exhausted your daily quota on this model.',
    ],
    [503, '{"error":{"code":503}}', 503, '{"error":{"code":503}}'],
    [500, ' {"error":{"code":500}}', 500, ' {"error":{"code":500}}'],
    [500, 'models/x is not found for API version v1beta', null, 'models/x is not found for API version v1beta'],
    [500, 'terminated', null, 'terminated'],
    [400, 'API key not valid.', 400, 'API key not valid.'],
    [399, 'x', null, 'x'],
    [-32_000, 'Gemini API key is missing or not configured.', null, 'Gemini API key is missing or not configured.'],
    [-32_603, 'Internal error', null, 'Internal error'],
  ])('of the error %j %j', (code, message, httpStatus, told) => {
    expect(readPromptReply(failed(code, message), true)).toEqual({ ...error, httpStatus, messages: [told] });
  });

  it('that never came', () => {
    expect(readPromptReply({ ok: false, closed: true }, true)).toEqual(nothing);
  });

  it.each([null, 'end_turn', [], {}, { stopReason: 7 }])('CLI-07: %j is not an ending', (result) => {
    const messages = ['The answer to a prompt could not be read.'];
    expect(readPromptReply({ ok: true, result }, true)).toEqual({ ...error, messages });
  });

  it.each([undefined, null, {}, { quota: null }, { quota: { model_usage: [{}] } }])(
    'without text is an answer, whatever is next to it: %j',
    (_meta) => {
      expect(readPromptReply({ ok: true, result: { stopReason: 'end_turn', _meta } }, false)).toEqual(success);
    },
  );
});
