import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { createNameMatcher } from './name-matcher.ts';
import type { Group, NameElement, NamePattern } from './name-pattern.ts';
import { parseNamePattern } from './parse-name-pattern.ts';

function matches(pattern: string, name: string, matchesDotfiles = false): boolean {
  const parsed = parseNamePattern(pattern, 'glob');
  if (!parsed.ok) {
    throw new Error(parsed.problem);
  }
  return createNameMatcher(parsed.pattern, { matchesDotfiles }).matches(name);
}

describe('createNameMatcher', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', '.ts', false],
    ['*', '.hidden', false],
    ['.*', '.hidden', true],
    ['?hidden', '.hidden', false],
    ['[.]hidden', '.hidden', false],
    ['{.a,b}*', '.abc', true],
    ['{,b}*', '.abc', false],
    ['@(.a|b)', '.a', true],
    ['!(b)', '.a', false],
    ['a?c', 'a\u{1f600}c', true],
    ['a[!b-d]c', 'abc', false],
    ['a[!b-d]c', 'axc', true],
    ['[]x]', ']', true],
    ['[[:digit:]]', '7', true],
    ['[[:digit:]]', 'a', false],
    ['[z-a]', 'm', false],
    ['a\\*b', 'a*b', true],
    ['a\\*b', 'axb', false],
    ['[', '[', true],
    ['[!', '[!', true],
    ['\\', '\\', true],
    ['#*', '#a', true],
    ['{a}', '{a}', true],
    ['{a,b', '{a,b', true],
    ['{{x.y}}', '{{x.y}}', true],
    ['{a,b{c,d}}', 'bd', true],
    ['file{1..3}', 'file2', true],
    ['file{1..3}', 'file4', false],
    ['f{08..11}', 'f09', true],
    ['f{c..a}', 'fb', true],
    ['f{1..9..4}', 'f5', true],
    ['f{1..9..4}', 'f4', false],
    ['(auth)', '(auth)', true],
    ['?(a)b', 'b', true],
    ['+(ab|c)', 'abcab', true],
    ['+(ab|c)', '', false],
    ['*(ab|c)d', 'd', true],
    ['!(*.test).ts', 'a.ts', true],
    ['!(*.test).ts', 'a.test.ts', false],
    ['!(foo).js', 'foobar.js', true],
    ['!(!(foo))', 'foo', true],
    ['!(!(foo))', 'bar', false],
  ])('%s on %s: %s', (pattern, name, expected) => {
    expect(matches(pattern, name)).toBe(expected);
  });

  it('lets wildcards match a leading dot only with `matchesDotfiles`', () => {
    expect(matches('*', '.hidden', true)).toBe(true);
    expect(matches('[.]x', '.x', true)).toBe(true);
  });

  const pattern = fc
    .array(fc.constantFrom('a', 'b', '.', '*', '?', '[ab]', '[^a]', '{a,bb}', '@(a|b*)', '?(a)', '+(a|b)', '*(ab)'), {
      minLength: 1,
      maxLength: 6,
    })
    // picomatch treats a sign after a bracket or parenthesis as a quantifier, and lets `**` match more than one segment.
    .map((parts) => parts.join(''));
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', 'c'), minLength: 1, maxLength: 8 });

  it('agrees with picomatch on patterns that both define', () => {
    fc.assert(
      fc.property(pattern, name, (glob, text) => {
        fc.pre(!/[\])}][*?+@]|\*\*|\*\?|\?\*|\?\(|^\.|^[^.a-c]*\./.test(glob) && !text.startsWith('.'));
        expect([glob, text, matches(glob, text)]).toEqual([glob, text, picomatch.isMatch(text, glob, { dot: true })]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('PATTERN-09: agrees with a slow reference on any pattern', () => {
    const element: fc.Arbitrary<NamePattern> = fc.letrec<{ pattern: NamePattern; element: NameElement }>((tie) => ({
      pattern: fc.array(tie('element'), { maxLength: 4 }),
      element: fc.oneof(
        { maxDepth: 2 },
        fc.constantFrom<NameElement>(
          { kind: 'literal', character: 'a' },
          { kind: 'literal', character: '.' },
          { kind: 'one' },
          { kind: 'run' },
          { kind: 'class', negated: true, ranges: [[97, 97]] },
        ),
        fc.record({
          kind: fc.constant('group' as const),
          repeats: fc.constantFrom('one', 'optional', 'any', 'some', 'none'),
          alternatives: fc.array(tie('pattern'), { minLength: 1, maxLength: 2 }),
        }),
      ),
    })).pattern;
    fc.assert(
      fc.property(element, fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 5 }), (parsed, text) => {
        const matcher = createNameMatcher(parsed, { matchesDotfiles: false });
        expect(matcher.matches(text)).toBe(slowEnds(parsed, text, 0).includes(text.length));
      }),
      { numRuns: 1_000 },
    );
  });

  // A backtracking matcher would time out on each of these.
  it.each([
    ['*a'.repeat(30), 'c'],
    [`${'*a'.repeat(29)}*ab`, 'c'],
    ['+(a|aa)'.repeat(20), 'b'],
    ['*(*(*(a)))', 'b'],
    ['+(+(+(a|?)|aa)|?a)', ''],
    ['!(*a*a*a)!(*a*a)', 'b'],
    ['@(a|a?|?a|aa)'.repeat(16), 'b'],
    ['{a,aa,aaa,?}'.repeat(16), 'b'],
  ])('GLOB-02: %s ends in time on a long name', (hostile, end) => {
    const parsed = parseNamePattern(hostile, 'glob');
    const matcher = parsed.ok ? createNameMatcher(parsed.pattern, { matchesDotfiles: false }) : null;
    for (let round = 0; round < 20; round += 1) {
      matcher?.matches('a'.repeat(250 - round) + end);
    }
    expect(matcher?.matches('a'.repeat(40) + end)).toBeTypeOf('boolean');
  });
});

/** The definition, written without regard to speed. */
function slowEnds(pattern: NamePattern, text: string, start: number): number[] {
  const [first, ...rest] = pattern;
  if (first === undefined) {
    return [start];
  }
  return elementEnds(first, text, start).flatMap((end) => slowEnds(rest, text, end));
}

function elementEnds(element: NameElement, text: string, start: number): number[] {
  const isBarred = start === 0 && text.startsWith('.');
  const character = text[start];
  if (element.kind === 'literal') {
    return character === element.character ? [start + 1] : [];
  }
  if (element.kind === 'group') {
    return groupEnds(element, text, start);
  }
  if (isBarred) {
    return [];
  }
  if (element.kind === 'run') {
    return placesFrom(text, start);
  }
  return character === undefined || (element.kind === 'class' && character === 'a') ? [] : [start + 1];
}

function groupEnds({ repeats, alternatives }: Group, text: string, start: number): number[] {
  const once = (from: number): number[] => unique(alternatives.flatMap((each) => slowEnds(each, text, from)));
  const some = (from: number): number[] =>
    unique(once(from).flatMap((end) => (end === from ? [end] : [end, ...some(end)])));
  switch (repeats) {
    case 'one':
      return once(start);
    case 'optional':
      return unique([start, ...once(start)]);
    case 'any':
      return unique([start, ...some(start)]);
    case 'some':
      return some(start);
    case 'none': {
      const isBarred = start === 0 && text.startsWith('.');
      return isBarred ? [] : placesFrom(text, start).filter((end) => !once(start).includes(end));
    }
  }
}

function placesFrom(text: string, start: number): number[] {
  return Array.from({ length: text.length - start + 1 }, (_, index) => start + index);
}

function unique(places: number[]): number[] {
  return [...new Set(places)];
}
