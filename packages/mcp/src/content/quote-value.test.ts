import { describe, expect, it } from 'vitest';
import { quoteValue } from './quote-value.ts';

describe('quoteValue', () => {
  it('keeps plain text, of any script', () => {
    expect(quoteValue('src/größe 文.ts')).toBe('"src/größe 文.ts"');
  });

  it('shows the first 60 characters', () => {
    expect(quoteValue('x'.repeat(1_000_000))).toBe(`"${'x'.repeat(60)}…"`);
  });

  it('lets nothing break out of the quotes or the line', () => {
    expect(quoteValue('a"b\nc\u001b[1m\u2028\u202e\u0000')).toBe('"a\'b\\u{a}c\\u{1b}[1m\\u{2028}\\u{202e}\\u{0}"');
  });

  it('shows halves of surrogate pairs escaped, also one that the cut makes', () => {
    expect(quoteValue('\ud800')).toBe('"\\u{d800}"');
    expect(quoteValue(`${'x'.repeat(59)}😀😀`)).toBe(`"${'x'.repeat(59)}\\u{d83d}…"`);
  });
});
