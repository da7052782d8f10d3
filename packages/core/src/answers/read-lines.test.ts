import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Length } from '../text/utf8-length.ts';
import { readLines } from './read-lines.ts';

const text = 'one\ntwo\r\nthree\n\nfive';

describe('readLines', () => {
  it.each([
    ['the first', 1, 1, 'one\n', { first: 1, last: 1 }, 4],
    ['some', 2, 3, 'two\r\nthree\n', { first: 2, last: 3 }, 15],
    ['an empty one', 4, 4, '\n', { first: 4, last: 4 }, 16],
    ['the last', 5, 5, 'five', { first: 5, last: 5 }, null],
    ['as many as there are', 4, 99, '\nfive', { first: 4, last: 5 }, null],
    ['no lines of an empty text', 6, 7, '', null, null],
    ['no lines if the end is before the beginning', 3, 2, '', null, 9],
    ['from the first if there are no earlier ones', 0, 1, 'one\n', { first: 1, last: 1 }, 4],
  ])('reads %s', (_, first, last, piece, lines, nextOffset) => {
    expect(readLines(text, { first, last }, 100)).toMatchObject({
      text: piece,
      lines,
      nextOffset,
      isCut: false,
      totalLines: 5,
      totalCharacters: text.length,
    });
  });

  it('cuts a long result, and returns where to continue', () => {
    const long = `short\n${'x'.repeat(1_000_000)}\nend`;
    expect(readLines(long, { first: 2, last: 3 }, 10)).toEqual({
      text: 'xxxxxxxxxx',
      offset: 6,
      totalCharacters: long.length,
      lines: { first: 2, last: 2 },
      totalLines: 3,
      nextOffset: 16,
      isCut: true,
    });
  });

  it('reads the lines that a split at line ends gives', () => {
    const lines = fc.array(fc.constantFrom('', 'a', 'bc\r', '\u{1f600}'), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 22 }), fc.nat(22), (all, first, count) => {
        const last = first + count;
        const wanted = all.slice(first - 1, last).join('\n') + (last < all.length ? '\n' : '');
        const { text: piece } = readLines(all.join('\n'), { first, last }, 1_000);
        expect(piece).toBe(wanted);
      }),
    );
  });

  it('reads the same lines in parts if there is less room', () => {
    const lines = fc.array(fc.constantFrom('', 'a', 'bc\r', '\u{1f600}', '\u6f22\u5b57'), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(lines, fc.integer({ min: 4, max: 30 }), (all, maxBytes) => {
        const whole = all.join('\n');
        const first = readLines(whole, { first: 1, last: all.length }, maxBytes);
        expect(first.isCut).toBe(first.text.length < whole.length);
        expect(utf8Length(first.text)).toBeLessThanOrEqual(maxBytes);
        expect(first.text + whole.slice(first.nextOffset ?? whole.length)).toBe(whole);
        const line = readLines(whole, { first: 1, last: 1 }, maxBytes);
        const firstLine = whole.slice(0, `${whole}\n`.indexOf('\n') + 1);
        expect(line.isCut).toBe(utf8Length(firstLine) > maxBytes);
      }),
    );
  });
});
