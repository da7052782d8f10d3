import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { encodeMessage } from './acp-connection.ts';

const maxSliceBytes = 262_144;

function encode(message: Readonly<Record<string, unknown>>): string {
  return Buffer.concat([...encodeMessage(message)]).toString('utf8');
}

/** What JSON escapes, what only looks as if it did, characters of one to four bytes, and halves of pairs. */
const unit = fc.constantFrom(
  'a',
  '"',
  '\\',
  '\n',
  '\0',
  '\u001f',
  '\u007f',
  'é',
  '\u2028',
  '\ufeff',
  '😀',
  '\ud83d',
  '\ude00',
);

/** Long enough to be taken apart, whatever it begins with. */
const longText = fc
  .tuple(fc.array(unit, { minLength: 1, maxLength: 40 }), fc.integer({ min: 4_000, max: 100_000 }))
  .map(([units, length]) => units.join('').repeat(length).slice(0, length));

describe('encodeMessage', () => {
  it('produces the output of JSON.stringify, and a line feed', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (message) => {
        expect(encode(message)).toBe(`${JSON.stringify(message)}\n`);
      }),
    );
  });

  it('gives the same for long texts, in slices of bounded size', () => {
    fc.assert(
      fc.property(fc.array(longText, { minLength: 1, maxLength: 3 }), fc.string(), (texts, name) => {
        const message = { method: 'session/prompt', params: { [name]: texts, nothing: undefined, last: 'é' } };
        const slices = [...encodeMessage(message)];
        const whole = Buffer.concat(slices);
        expect(whole.equals(Buffer.from(`${JSON.stringify(message)}\n`))).toBe(true);
        expect(Math.max(...slices.map(({ length }) => length))).toBeLessThanOrEqual(maxSliceBytes);
      }),
      { numRuns: 60 },
    );
  });

  it.each([0, 1, 2, 3])('splits no pair, wherever the cuts fall (%i characters in front)', (before) => {
    const text = `${'x'.repeat(before)}${'😀'.repeat(200_000)}`;
    expect(encode({ text })).toBe(`${JSON.stringify({ text })}\n`);
  });

  it('bounds the slices of a frame of many short strings', () => {
    const message = { parts: Array.from({ length: 10_000 }, () => '\u2028'.repeat(100)) };
    const slices = [...encodeMessage(message)];
    expect(Buffer.concat(slices).equals(Buffer.from(`${JSON.stringify(message)}\n`))).toBe(true);
    expect(Math.max(...slices.map(({ length }) => length))).toBeLessThanOrEqual(maxSliceBytes);
  });

  it('bounds the slices of text that grows to six times its length', () => {
    const slices = [...encodeMessage({ text: '\0'.repeat(500_000) })];
    expect(Math.max(...slices.map(({ length }) => length))).toBeLessThanOrEqual(maxSliceBytes);
  });

  it('encodes long text only as far as it is asked to', () => {
    const slices = encodeMessage({ text: 'x'.repeat(50_000_000) })[Symbol.iterator]();
    const first = [slices.next(), slices.next()].map(({ value }) => String(value).length);
    expect(first[0]).toBe('{"text":"'.length);
    expect(first[1]).toBeLessThanOrEqual(maxSliceBytes);
  });

  it('throws for values outside JSON before it encodes anything', () => {
    expect(() => encodeMessage({ count: 1n })).toThrow(TypeError);
  });
});
