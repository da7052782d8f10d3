import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptFrom } from './excerpt-from.ts';

describe('excerptFrom', () => {
  it.each([
    ['', ''],
    [' \n', ''],
    ['\n said \n', 'said'],
    [`${'a'.repeat(499)}bc`, `${'a'.repeat(499)}b`],
    ['one\r\ntwo\rthree\n\tfour', 'one\ntwo\nthree\n\tfour'],
    ['\u001b[31mred\u001b[0m\u0007, \u009bblue', 'red, blue'],
    [`${'a'.repeat(499)}\u{1f600}`, 'a'.repeat(499)],
    [`${' '.repeat(20_000)}late`, 'late'],
  ])('shows the beginning of %j', (text, excerpt) => {
    expect(excerptFrom(text)).toBe(excerpt);
  });

  it('is short and plain, whatever the text', () => {
    const unit = fc.oneof(fc.nat(0xff), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }));
    const text = fc.array(
      unit.map((code) => String.fromCodePoint(code)),
      { maxLength: 1_000 },
    );
    fc.assert(
      fc.property(text, (characters) => {
        const excerpt = excerptFrom(characters.join(''));
        expect(excerpt.length).toBeLessThanOrEqual(500);
        expect(excerpt).not.toMatch(/[^\P{Cc}\n\t]/u);
        expect(excerpt).toBe(excerptFrom(excerpt));
      }),
    );
  });
});
