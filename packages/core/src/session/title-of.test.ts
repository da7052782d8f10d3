import { describe, expect, it } from 'vitest';
import { titleOf } from './title-of.ts';

describe('titleOf', () => {
  it.each([
    ['a short text as it is', 'Why?', 'Why?'],
    ['one line of several', ' Why \r\n\t not? \u2028', 'Why not?'],
    ['80 characters as they are', 'x'.repeat(80), 'x'.repeat(80)],
    ['the beginning of a longer one', 'x'.repeat(81), `${'x'.repeat(80)}…`],
    ['no half of a character', `${'x'.repeat(79)}\u{1f98a}y`, `${'x'.repeat(79)}…`],
    ['nothing of nothing', ' \n ', ''],
  ])('gives %s', (_, text, title) => {
    expect(titleOf(text)).toBe(title);
  });

  it('keeps no half of a character where the head of the text ends', () => {
    expect(titleOf(`${' '.repeat(998)}x\u{1f98a}`)).toBe('x');
  });
});
