import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteName, quoteText, quoteValue } from './quote-value.ts';

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

describe('quoteName', () => {
  it.each([
    ['src/a.ts', '"src/a.ts"'],
    ['a "b"\n\u001b[2J', '"a \\"b\\"\\n\\u001b[2J"'],
    ['turn\u202eed\u{e0041}', '"turn\\u202eed\\udb40\\udc41"'],
  ])('writes %j as %s', (value, quoted) => {
    expect(quoteName(value)).toBe(quoted);
  });

  it('is JSON of the same value on one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(JSON.parse(quoteName(value))).toBe(value);
        expect(quoteName(value)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});

describe('quoteText', () => {
  it('marks each line', () => {
    expect(quoteText('one\r\ntwo\u2028three\rfour\u0000')).toBe('> one\n> two\n> three\n> four\\u{0}');
  });

  it('keeps what a script or an emoji needs to be written, and nothing else that is not seen', () => {
    expect(quoteText('می\u200cخواهم 👩\u200d💻 a\u202eb\u200bc')).toBe(
      '> می\u200cخواهم 👩\u200d💻 a\\u{202e}b\\u{200b}c',
    );
  });

  it('leaves no line unmarked, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(quoteText(text).split(/[\n\r\u0085\u2028\u2029]/)).toSatisfy((lines: string[]) =>
          lines.every((line) => line.startsWith('> ')),
        );
      }),
    );
  });
});
