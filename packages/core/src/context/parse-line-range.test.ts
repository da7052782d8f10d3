import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLineRange } from './format-line-range.ts';
import { maxRangesPerName, parseLineRange } from './parse-line-range.ts';

const max = Number.MAX_SAFE_INTEGER;

describe('parseLineRange', () => {
  it.each([
    ['src/a.ts:10-40', 'src/a.ts', [[10, 40]]],
    ['src/a.ts:10', 'src/a.ts', [[10, 10]]],
    ['src/a.ts:10-', 'src/a.ts', [[10, max]]],
    [
      'a:60-80,1,70-',
      'a',
      [
        [60, 80],
        [1, 1],
        [70, max],
      ],
    ],
    ['C:\\x\\a.ts:3-4', 'C:\\x\\a.ts', [[3, 4]]],
    ['a:1:2', 'a:1', [[2, 2]]],
    ['a\n:2', 'a\n', [[2, 2]]],
    ['a:007', 'a', [[7, 7]]],
    [`a:${'9'.repeat(400)}`, 'a', [[max, max]]],
  ])('reads %s', (name, path, ranges) => {
    expect(parseLineRange(name)).toEqual({
      path,
      asked: { ok: true, ranges: ranges.map(([first, last]) => ({ first, last })) },
    });
  });

  it.each([
    'a.ts',
    'C:\\x',
    'C:/x/10',
    'x:stream',
    'file:a.ts',
    '10-40',
    ':10',
    ':',
    '',
    'a:',
    'a:-5',
    'a:1--2',
    'a:1-2-3',
    'a:1,',
    'a:,1',
    'a:1, 2',
    'a:+1',
    'a:1.5',
    'a:0x10',
    'a:1e3',
    'a:1\n',
    'a:1\0',
    'a:\u0661',
    'a:1/b',
  ])('%j names no lines', (name) => {
    expect(parseLineRange(name)).toBeNull();
  });

  it.each([
    ['a:0-5', 'lines are counted from 1'],
    ['a:0', 'lines are counted from 1'],
    ['a:5-0', 'lines are counted from 1'],
    ['a:1-2,40-10', '40-10 runs backwards'],
    [`a:${'1,'.repeat(maxRangesPerName)}1`, 'more than 100 ranges in one name'],
    [`a:${'1-2,'.repeat(100_000)}1`, 'more than 100 ranges in one name'],
  ])('names the fault of %.20s', (name, problem) => {
    expect(parseLineRange(name)).toEqual({ path: 'a', asked: { ok: false, problem } });
  });

  it('reads back what formatLineRange writes, after any path', () => {
    const range = fc.tuple(fc.integer({ min: 1, max }), fc.nat(1_000)).map(([first, more]) => ({
      first,
      last: Math.min(first + more, max),
    }));
    const ranges = fc.array(range, { minLength: 1, maxLength: maxRangesPerName });
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), ranges, (path, some) => {
        const name = `${path}:${some.map(formatLineRange).join(',')}`;
        expect(parseLineRange(name)).toEqual({ path, asked: { ok: true, ranges: some } });
      }),
    );
  });

  it('SHARE-04: reads a long name in a time that grows with its length alone', () => {
    expect(parseLineRange(`a:${'1'.repeat(1_000_000)}x`)).toBeNull();
  });
});
