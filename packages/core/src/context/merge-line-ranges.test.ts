import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LineRange } from '../ports/context-resolver.ts';
import { mergeLineRanges } from './parse-line-range.ts';

function linesOf(ranges: readonly LineRange[]): readonly number[] {
  const all = ranges.flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
  return [...new Set(all)].sort((one, other) => one - other);
}

describe('mergeLineRanges', () => {
  it('keeps every line, and ranges apart that neither overlap nor touch', () => {
    const range = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat(10)).map(([first, more]) => ({
      first,
      last: first + more,
    }));
    fc.assert(
      fc.property(fc.array(range, { maxLength: 12 }), (ranges) => {
        const merged = mergeLineRanges(ranges);
        expect(linesOf(merged)).toEqual(linesOf(ranges));
        for (const [index, { first }] of merged.entries()) {
          expect(first).toBeGreaterThan((merged[index - 1]?.last ?? -1) + 1);
        }
      }),
    );
  });

  it('counts with open ends', () => {
    const last = Number.MAX_SAFE_INTEGER;
    expect(
      mergeLineRanges([
        { first: last, last },
        { first: 5, last },
        { first: 1, last: 3 },
      ]),
    ).toEqual([
      { first: 1, last: 3 },
      { first: 5, last },
    ]);
  });
});
