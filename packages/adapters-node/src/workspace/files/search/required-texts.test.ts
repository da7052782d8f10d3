import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requiredTexts } from './filter-by-ripgrep.ts';

describe('requiredTexts', () => {
  it.each<[string, readonly string[] | null]>([
    ['needle', ['needle']],
    ['function\\s+(\\w+)\\(', ['function']],
    ['^import .*\\.ts', ['import ']],
    ['ab+c', ['ab']],
    ['abc?d', ['ab']],
    ['abc*', ['ab']],
    ['abx{0,3}', ['ab']],
    ['foo|bar', ['foo', 'bar']],
    ['foo|b', null],
    ['(foo|bar)', null],
    ['(foo|bar)baz', ['baz']],
    ['(?!foo)barbaz', ['barbaz']],
    ['[ab]cd', ['cd']],
    ['[)|]cd', ['cd']],
    ['a\\.b', ['a.b']],
    ['\\u0061bc', null],
    ['\\x61bc', null],
    ['\\d+', null],
    ['', null],
  ])('of %s are %j', (source, texts) => {
    expect(requiredTexts(source)).toEqual(texts);
  });

  it('occur in every match of an expression', () => {
    const piece = fc.constantFrom(
      'ab',
      'c',
      'a?',
      'b*',
      'c+',
      '(ab|c)',
      '(?:b)+',
      '[abc]',
      '.',
      '|',
      '\\w',
      'b{2}',
      '(?=a)',
      '\\.',
      '^',
    );
    const source = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.'), maxLength: 12 });
    fc.assert(
      fc.property(source, text, fc.boolean(), (pattern, line, ignoresCase) => {
        const texts = requiredTexts(pattern);
        const isMatch = isExpression(pattern) && new RegExp(pattern, ignoresCase ? 'iu' : 'u').test(line);
        expect(!isMatch || texts === null || texts.some((each) => line.includes(each))).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });
});

function isExpression(source: string): boolean {
  try {
    return new RegExp(source, 'u').source !== '';
  } catch {
    return false;
  }
}
