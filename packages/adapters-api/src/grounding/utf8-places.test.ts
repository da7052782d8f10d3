import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Utf8Places } from './grounding-reader.ts';

const characters = fc.constantFrom('a', '\u00e9', 'e\u0301', '\u6f22', '\u{1f98a}', '\u{1f468}\u200d\u{1f469}', '\n');
const texts = fc.array(characters, { maxLength: 40 }).map((all) => all.join(''));

/** Which byte each character begins at, by an encoder. */
function encodedPlaces(text: string): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  let unit = 0;
  for (const character of text) {
    places.set(Buffer.byteLength(text.slice(0, unit)), unit);
    unit += character.length;
  }
  return places.set(Buffer.byteLength(text), text.length);
}

it('finds the position of each character, and not of a byte inside one', () => {
  fc.assert(
    fc.property(texts, fc.nat(2_000), (text, before) => {
      const whole = 'x'.repeat(before) + text;
      const places = new Utf8Places(whole);
      const expected = encodedPlaces(whole);
      for (let byte = before; byte <= Buffer.byteLength(whole); byte += 1) {
        const unit = places.unitAt(byte);
        expect(unit).toBe(expected.get(byte) ?? null);
        expect(unit === null ? byte : places.bytesAt(unit)).toBe(byte);
      }
    }),
  );
});

it.each([-1, 4, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('finds no position for byte %s of three', (byte) => {
  expect(new Utf8Places('abc').unitAt(byte)).toBeNull();
});

it('finds the only position in an empty text', () => {
  const places = new Utf8Places('');
  expect([places.unitAt(0), places.unitAt(1), places.bytesAt(0)]).toEqual([0, null, 0]);
});
