import { describe, expect, it } from 'vitest';
import { AnswerReader } from './answer-reader.ts';
import { eventOf } from './testing/raw-stream.ts';

const stream = Buffer.from(
  `: a comment\n\n${eventOf('\u6f22\u5b57 \u{1f98a}\r\n')}${eventOf('e\u0301\u2028', 'STOP')}`,
);

function read(packets: readonly Uint8Array[]): string {
  const reader = new AnswerReader({ model: 'gemini-3.8-flash', secret: '' });
  const events = [...packets.flatMap((packet) => reader.push(packet)), ...reader.end()];
  expect(events.at(-1)).toEqual({ type: 'answer', ending: { type: 'complete' } });
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

describe('AnswerReader', () => {
  it('reads the same text wherever the stream is cut into two', () => {
    for (let cut = 0; cut <= stream.length; cut += 1) {
      expect(read([stream.subarray(0, cut), stream.subarray(cut)])).toBe('\u6f22\u5b57 \u{1f98a}\r\ne\u0301\u2028');
    }
  });

  it('reads a stream that comes byte by byte', () => {
    expect(read([...stream].map((byte) => Uint8Array.of(byte)))).toBe('\u6f22\u5b57 \u{1f98a}\r\ne\u0301\u2028');
  });

  it('takes the last of the running totals, and the model that answered', () => {
    const reader = new AnswerReader({ model: 'gemini-2.5-pro', secret: '' });
    const [first, last] = [
      { promptTokenCount: 9, candidatesTokenCount: 1 },
      {
        promptTokenCount: 9,
        candidatesTokenCount: 4,
        thoughtsTokenCount: 30,
        cachedContentTokenCount: 5,
        toolUsePromptTokenCount: -1,
      },
    ].map((usageMetadata) => ({
      usageMetadata,
      modelVersion: 'gemini-3.8-flash',
      candidates: [{ content: { parts: [{ text: 'a' }] } }],
    }));
    reader.push(
      Buffer.from(`data: ${JSON.stringify(first)}\n\ndata: ${JSON.stringify(last)}\n\n${eventOf('', 'MAX_TOKENS')}`),
    );
    expect(reader.end()).toEqual([
      {
        type: 'usage',
        models: [{ model: 'gemini-2.5-pro', inputTokens: 9, outputTokens: 4, thoughtTokens: 30, cachedTokens: 5 }],
      },
      { type: 'answer', ending: { type: 'output-limit' }, modelVersion: 'gemini-3.8-flash' },
    ]);
  });
});
