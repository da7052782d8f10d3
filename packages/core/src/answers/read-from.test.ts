import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Length } from '../text/utf8-length.ts';
import type { AnswerPart } from './answer-part.ts';
import { firstPart, readFrom } from './read-from.ts';

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', '\r\n', '\u{1f600}', '\ud800', '\udc00', 'word ', '\u6f22\u5b57', '\u0436'),
      fc.string({ unit: 'binary' }),
    ),
    {
      maxLength: 60,
    },
  )
  .map((pieces) => pieces.join(''));

function readWhole(text: string, maxBytes: number): readonly AnswerPart[] {
  const parts = [firstPart(text, maxBytes)];
  for (let next = parts[0]?.nextOffset ?? null; next !== null; next = parts.at(-1)?.nextOffset ?? null) {
    parts.push(readFrom(text, next, maxBytes));
  }
  return parts;
}

describe('readFrom', () => {
  it('gives any text back in parts, exactly', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 4, max: 50 }), (text, maxBytes) => {
        const parts = readWhole(text, maxBytes);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        for (const part of parts) {
          expect(utf8Length(part.text)).toBeLessThanOrEqual(maxBytes);
          // A part ends at a line end in the last quarter of the limit, so it is at most a quarter and one character shorter.
          expect(part.nextOffset === null || utf8Length(part.text) >= maxBytes * 0.75 - 3).toBe(true);
          expect(part).toMatchObject({ totalCharacters: text.length, isCut: part.nextOffset !== null });
          expect(text.slice(part.offset).startsWith(part.text)).toBe(true);
          expect(
            /[\ud800-\udbff]$/.test(part.text) && /^[\udc00-\udfff]/.test(text.slice(part.nextOffset ?? text.length)),
          ).toBe(false);
        }
      }),
    );
  });

  it('returns the lines of a part', () => {
    fc.assert(
      fc.property(anyText, fc.nat(400), fc.integer({ min: 4, max: 50 }), (text, offset, maxBytes) => {
        const part = readFrom(text, offset, maxBytes);
        const lines = text.split('\n');
        expect(part.totalLines).toBe(text.endsWith('\n') || text === '' ? lines.length - 1 : lines.length);
        const lineAt = (place: number) => text.slice(0, place).split('\n').length;
        expect(part.lines).toEqual(
          part.text === '' ? null : { first: lineAt(part.offset), last: lineAt(part.offset + part.text.length - 1) },
        );
      }),
    );
  });

  it.each([
    ['at a line end that is near', 'aaaaaaa\nbbbbbbb', 0, 10, 'aaaaaaa\n', 8],
    ['anywhere where the line end is far', 'aaaaa\nbbbbbbb', 0, 10, 'aaaaa\nbbbb', 10],
    ['after the line end that just fits', 'aaaaaaaaa\nb', 0, 10, 'aaaaaaaaa\n', 10],
    ['before a character that would be split', 'a\u{1f600}b', 0, 4, 'a', 1],
    ['after the character that just fits', 'a\u{1f600}b', 0, 5, 'a\u{1f600}', 3],
    ['by bytes', '\u6f22\u5b57\u6f22\u5b57', 0, 10, '\u6f22\u5b57\u6f22', 3],
    ['at a line end that is near in bytes', '\u6f22\u5b57\u6f22\naaaa', 0, 13, '\u6f22\u5b57\u6f22\n', 4],
    ['anywhere where the line end is far in bytes', 'aaa\n\u6f22\u5b57\u6f22', 0, 10, 'aaa\n\u6f22\u5b57', 6],
    ['not at all if it fits', 'aaa\nb', 0, 5, 'aaa\nb', null],
    ['on from an offset', 'aaa\nbbb', 4, 5, 'bbb', null],
    ['from before the text', 'aaa', -5, 5, 'aaa', null],
    ['from after the text', 'aaa', 9, 5, '', null],
    ['from the middle of a character', 'a\u{1f600}b', 2, 5, '\u{1f600}b', null],
    ['nothing of nothing', '', 0, 5, '', null],
  ])('cuts %s', (_, text, offset, maxBytes, piece, nextOffset) => {
    expect(readFrom(text, offset, maxBytes)).toMatchObject({ text: piece, nextOffset });
  });

  it.each([
    ['300,000 characters in lines', 'line of an answer\n'.repeat(17_000)],
    ['a megabyte without a line end', 'abcdefgh'.repeat(131_072)],
    ['300,000 Chinese characters', '\u6f22'.repeat(300_000)],
  ])('reads %s', (_, text) => {
    const parts = readWhole(text, 39_000);
    expect(parts.map((part) => part.text).join('') === text).toBe(true);
    expect(parts.length).toBe(Math.ceil(utf8Length(text) / 39_000));
  });
});
