import { describe, expect, it } from 'vitest';
import { AnswerReader } from './answer-reader.ts';
import { eventOf } from './testing/raw-stream.ts';

const complete = { type: 'answer', ending: { type: 'complete' } };

function read(stream: string | Buffer): readonly unknown[] {
  const reader = new AnswerReader({ model: 'gemini-3.8-flash', secret: '' });
  const pushed = reader.push(Buffer.from(stream));
  return reader.hasFailed ? pushed : [...pushed, ...reader.end()];
}

function eventWith(fields: object): string {
  return `data: ${JSON.stringify(fields)}\n\n`;
}

describe('AnswerReader with a malformed stream', () => {
  it.each([
    ['line feeds', '\n'],
    ['carriage returns', '\r'],
    ['both', '\r\n'],
  ])('lines may end in %s, also the last one', (_, end) => {
    const stream = (eventOf('a') + eventOf('b', 'STOP')).replaceAll('\r\n', end);
    expect(read(stream)).toEqual([{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }, complete]);
  });

  it('the last line may end in a carriage return whose line feed comes later', () => {
    const stream = Buffer.from(eventOf('a', 'STOP'));
    const reader = new AnswerReader({ model: 'gemini-3.8-flash', secret: '' });
    const events = [stream.subarray(0, -1), stream.subarray(-1), Buffer.alloc(0)].flatMap((piece) =>
      reader.push(piece),
    );
    expect([...events, ...reader.end()]).toEqual([{ type: 'text', text: 'a' }, complete]);
  });

  it('ignores a byte order mark at the beginning', () => {
    expect(read(`\ufeff${eventOf('\ufeffa', 'STOP')}`)).toEqual([{ type: 'text', text: '\ufeffa' }, complete]);
  });

  it.each([
    ['a page', '<html>\n<p>Bye</p>\n\n'],
    ['half an event', 'data: {"candidates": [{"con'],
    ['half a character', Buffer.from([0xe6, 0xbc])],
    ['other fields', 'event: done\nid: 7\nretry: never\nfoo\n\n'],
  ])('skips %s after the last event', (_, garbage) => {
    const stream = Buffer.concat([Buffer.from(eventOf('a', 'STOP')), Buffer.from(garbage)]);
    expect(read(stream)).toEqual([{ type: 'text', text: 'a' }, complete]);
  });

  it('ignores an incomplete last event', () => {
    expect(read(eventOf('a') + eventOf('b', 'STOP').trimEnd())).toEqual([
      { type: 'text', text: 'a' },
      { type: 'failure', failure: { kind: 'malformed-output', excerpt: '' } },
    ]);
  });

  it('of several candidates the first one is the answer', () => {
    const [one, two] = ['one', 'two'].map((text) => ({ content: { parts: [{ text }] }, finishReason: 'STOP' }));
    expect(read(eventWith({ candidates: [one, { ...two, finishReason: 'SAFETY' }] }))).toEqual([
      { type: 'text', text: 'one' },
      complete,
    ]);
  });

  it.each([1e300, Number.MAX_SAFE_INTEGER + 1, -1, 0.5, '7', null, {}, true])(
    'rejects %j as a token count',
    (count) => {
      const usageMetadata = { promptTokenCount: count, candidatesTokenCount: count, thoughtsTokenCount: count };
      expect(read(eventWith({ usageMetadata }) + eventOf('a', 'STOP'))).toContainEqual({
        type: 'usage',
        models: [{ model: 'gemini-3.8-flash', inputTokens: 0, outputTokens: 0 }],
      });
    },
  );

  it('names of JavaScript are names like others', () => {
    const evil = '{"candidates":[{"content":{"parts":[{"text":"evil"}]}}],"promptTokenCount":7}';
    const odd = `{"__proto__":${evil},"constructor":{"prototype":${evil}},"usageMetadata":{"__proto__":${evil}}}`;
    expect(read(`data: ${odd}\n\n${eventOf('a', 'STOP')}`)).toEqual([
      { type: 'text', text: 'a' },
      { type: 'usage', models: [{ model: 'gemini-3.8-flash', inputTokens: 0, outputTokens: 0 }] },
      complete,
    ]);
    expect({}).not.toHaveProperty('candidates');
  });

  it.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])('%s is an unknown reason', (reason) => {
    expect(read(eventOf('a', reason)).at(-1)).toEqual({ type: 'answer', ending: { type: 'unknown', reason } });
  });

  it('UPSTREAM-M2: an endless stream without content fails once it exceeds the limit', () => {
    const reader = new AnswerReader({ model: 'gemini-3.8-flash', secret: '' });
    const comments = Buffer.from(`:${'x'.repeat(1_047)}\n`.repeat(1_000));
    const pushes = Array.from({ length: 129 }, () => reader.push(comments)).flat();
    expect(pushes).toEqual([
      {
        type: 'failure',
        failure: { kind: 'malformed-output', excerpt: 'The stream was longer than 134217728 bytes.' },
      },
    ]);
  });

  it('UPSTREAM-M2: an endless turn of calls fails, since all of it would be kept', () => {
    const reader = new AnswerReader({ model: 'gemini-3.8-flash', secret: '', callsFunctions: true });
    const parts = Array.from({ length: 10_001 }, () => ({ functionCall: { name: 'look', args: {} } }));
    const end = {
      type: 'failure',
      failure: { kind: 'malformed-output', excerpt: 'A turn had more than 10000 parts.' },
    };
    expect(reader.push(Buffer.from(eventWith({ candidates: [{ content: { parts } }] })))).toEqual([end]);
  });

  it('text keeps unusual characters: NUL, halves of characters, a character in two events', () => {
    const stream = `${eventOf('\0\ud83e')}${eventOf('\udd8a\ud800', 'STOP')}`;
    const text = read(stream).map((event) => (event as { readonly text?: string }).text ?? '');
    expect(text.join('')).toBe('\0\u{1f98a}\ud800');
  });

  it('names of the API are cut, and hold no control characters', () => {
    const name = `\u001b[31m\0${'x'.repeat(100_000)}`;
    const [, end] = read(eventWith({ modelVersion: name }) + eventOf('a', name));
    expect(end).toEqual({
      type: 'answer',
      ending: { type: 'unknown', reason: 'x'.repeat(500) },
      modelVersion: 'x'.repeat(500),
    });
  });
});
