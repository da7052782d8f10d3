import { describe, expect, it } from 'vitest';
import { weighPattern } from './pattern-cost.ts';

describe('the weight of a pattern', () => {
  it.each([
    ['TODO', 0, 0],
    ['foo|bar|baz', 0, 0],
    ['function\\s+\\w+\\s*\\(', 3, 0],
    ['[a-z*+]+', 1, 0],
    ['\\(a\\)\\*', 0, 0],
    ['(?:a|b)c', 0, 1],
    ['colou?r', 0, 1],
    ['x{2,3}', 1, 0],
    ['.*?', 1, 0],
    ['(abc)+', 1, 0],
  ])('PATTERN-08: %s repeats %i times, with %i choices', (source, repetitions, choices) => {
    expect(weighPattern(source)).toEqual({ repetitions, choices, isNested: false });
  });

  it.each([
    '(a+)+$',
    '(a|a)*b',
    '(?:a|aa)+$',
    '([a-z]+)*!',
    '((a)+)+',
    '(?=(a+)+$)b',
    '(a?){30}a{30}',
    '(.*)\\1x',
    '(?<word>a*)\\k<word>',
    '((ab*)c){9}',
  ])('PATTERN-08: %s may grow exponentially', (source) => {
    expect(weighPattern(source).isNested).toBe(true);
  });
});
