import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LineRange } from '../ports/context-resolver.ts';
import { locateLines } from './locate-lines.ts';

/** Texts with many line ends of each kind. */
const text = fc
  .array(fc.oneof(fc.constantFrom('\n', '\r\n', '\r', '', '\u2028', '\uFEFF', '\u{1f600}'), fc.string()), {
    maxLength: 20,
  })
  .map((pieces) => pieces.join(''));
const range = fc.tuple(fc.integer({ min: 1, max: 25 }), fc.nat(25)).map(([first, more]) => ({
  first,
  last: first + more,
}));

function splitReference(whole: string): readonly string[] {
  return whole.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function textsOf(whole: string, ranges: readonly LineRange[]): readonly string[] {
  return locateLines(whole, ranges).parts.map(({ start, end }) => whole.slice(start, end));
}

describe('locateLines', () => {
  it('finds what a split finds', () => {
    fc.assert(
      fc.property(text, range, (whole, lines) => {
        const reference = splitReference(whole);
        const { parts, lineCount } = locateLines(whole, [lines]);
        expect(lineCount).toBe(reference.length);
        expect(parts.map(({ start, end }) => whole.slice(start, end))).toEqual(
          lines.first > reference.length ? [] : [reference.slice(lines.first - 1, lines.last).join('')],
        );
        expect(parts.map((part) => part.lines)).toEqual(
          lines.first > reference.length ? [] : [{ ...lines, last: Math.min(lines.last, reference.length) }],
        );
      }),
    );
  });

  it('the parts of a partition, put together, are the file', () => {
    fc.assert(
      fc.property(text, fc.uniqueArray(fc.integer({ min: 2, max: 30 })), (whole, cuts) => {
        const firsts = [1, ...cuts.sort((one, other) => one - other)];
        const ranges = firsts.map((first, index) => ({
          first,
          last: (firsts[index + 1] ?? Number.POSITIVE_INFINITY) - 1,
        }));
        expect(textsOf(whole, ranges).join('')).toBe(whole);
      }),
    );
  });

  it('finds the same in bytes as in text', () => {
    fc.assert(
      fc.property(text, range, (whole, lines) => {
        const bytes = Buffer.from(whole);
        const found = locateLines(bytes, [lines]).parts.map(({ start, end }) => bytes.toString('utf8', start, end));
        expect(found).toEqual(textsOf(whole, [lines]));
      }),
    );
  });

  it.each([
    ['', 0],
    ['\n', 1],
    ['a', 1],
    ['a\n', 1],
    ['a\n\n', 2],
    ['a\r\nb', 2],
    ['a\rb', 1],
  ])('%j has %d lines', (whole, lineCount) => {
    expect(locateLines(whole, []).lineCount).toBe(lineCount);
  });
});
