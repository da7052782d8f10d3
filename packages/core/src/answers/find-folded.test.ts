import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findFolded } from './find-in.ts';

function placesOf(text: string, needle: string): readonly number[] {
  const places: number[] = [];
  findFolded(text, needle, (offset) => places.push(offset));
  return places;
}

function reference(text: string, needle: string): readonly number[] {
  const literal = new RegExp(needle.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
  return needle === '' ? [] : [...text.matchAll(literal)].map(({ index }) => index);
}

const letters = fc.constantFrom(
  ...['a', 'A', 'b', '\n', 'ß', 'ẞ', 'ſ', 's', 'S', 'İ', 'ı', 'i', 'I', 'K', 'k', 'σ', 'ς', 'Σ', 'µ', 'μ'],
  ...['\u{10400}', '\u{10428}', '\u{1e900}', '\u{1e922}', '\u{1f600}', 'ǅ', 'ǆ', 'Ω', 'ω'],
);
const text = fc.array(letters, { maxLength: 40 }).map((units) => units.join(''));
const needle = fc.array(letters, { minLength: 1, maxLength: 4 }).map((units) => units.join(''));

describe('findFolded', () => {
  it('finds what a regular expression finds', () => {
    fc.assert(
      fc.property(text, needle, (whole, searched) => {
        expect(placesOf(whole, searched)).toEqual(reference(whole, searched));
      }),
      { numRuns: 500 },
    );
  });

  it('knows every letter by its other forms, as a regular expression does', () => {
    const cased = Array.from({ length: 0x1_fa00 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((letter) => letter.toLowerCase() !== letter.toUpperCase());
    const wrong = cased.filter((letter) =>
      [letter.toLowerCase(), letter.toUpperCase()].some(
        (form) => placesOf(form, letter).length !== reference(form, letter).length,
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('SHARE-04: finds a long text that nearly matches everywhere, in a time that grows with the length of the text alone', () => {
    const whole = `${'ab'.repeat(1_000_000)}c`;
    expect(placesOf(whole, `${'ab'.repeat(500_000)}c`)).toEqual([1_000_000]);
  });
});
