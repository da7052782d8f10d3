import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LineRange } from '../ports/context-resolver.ts';
import { type LineLocations, locateLines } from './locate-lines.ts';
import { finishSteps } from './plan-lines.ts';

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

function locate(whole: string | Uint8Array, ranges: readonly LineRange[]): LineLocations {
  const codeAt = (place: number): number =>
    typeof whole === 'string' ? whole.charCodeAt(place) : (whole[place] ?? Number.NaN);
  return finishSteps(locateLines({ length: whole.length, codeAt }, ranges));
}

function textsOf(whole: string, ranges: readonly LineRange[]): readonly string[] {
  return locate(whole, ranges).parts.map(({ start, end }) => whole.slice(start, end));
}

describe('locateLines', () => {
  it('finds what a split finds', () => {
    fc.assert(
      fc.property(text, range, (whole, lines) => {
        const reference = splitReference(whole);
        const { parts, lineCount } = locate(whole, [lines]);
        expect(lineCount ?? reference.length).toBe(reference.length);
        expect(lineCount === null && lines.last >= reference.length).toBe(false);
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
        const found = locate(bytes, [lines]).parts.map(({ start, end }) => bytes.toString('utf8', start, end));
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
    expect(locate(whole, [{ first: 9, last: 9 }]).lineCount).toBe(lineCount);
  });

  it('SHARE-03: goes no further than to the last line that is asked for, and offers to pause on the way', () => {
    let furthest = 0;
    const length = 60_000_000;
    const codeAt = (place: number): number => {
      furthest = Math.max(furthest, place);
      return 0x0a;
    };
    expect(finishSteps(locateLines({ length, codeAt }, [{ first: 1, last: 2 }])).lineCount).toBeNull();
    expect(furthest).toBe(1);
    const beyond = locateLines({ length, codeAt }, [{ first: length + 1, last: length + 1 }]);
    let last = 0;
    for (let step = beyond.next(); step.done !== true && last < 1_000_000; step = beyond.next()) {
      expect(furthest - last).toBeLessThanOrEqual(131_072);
      last = furthest;
    }
  });
});
