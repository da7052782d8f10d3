import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Length } from './utf8-length.ts';

/** Halves of characters are among them. */
const codePoint = fc.oneof(fc.nat(0xff), fc.nat(0xffff), fc.integer({ min: 0xd800, max: 0xdfff }), fc.nat(0x10ffff));
const unit = codePoint.map((code) => String.fromCodePoint(code));

describe('utf8Length', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['\u007f', 1],
    ['\u0080', 2],
    ['\u07ff', 2],
    ['\u0800', 3],
    ['\ufeff', 3],
    ['\uffff', 3],
    ['\u{10000}', 4],
    ['\u{10ffff}', 4],
    ['a\u00e9\u20ac\u{1f600}', 10],
    ['\ud83d', 3],
    ['\ude00\ud83d', 6],
  ])('%j takes %d bytes', (text, bytes) => {
    expect(utf8Length(text)).toBe(bytes);
  });

  it('is the length of what an encoder makes of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 200 }), (text) => {
        expect(utf8Length(text)).toBe(Buffer.byteLength(text, 'utf8'));
      }),
    );
  });
});
