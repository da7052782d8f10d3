import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonTextPieces } from './json-upload.ts';

const units = fc.constantFrom(
  'a',
  '"',
  '\\',
  '\n',
  '\0',
  '\x7f',
  '\u00e9',
  '\u2028',
  '\u6f22',
  '\ud83e',
  '\udd8a',
  '\u{1f98a}',
  '\ufffe',
);
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(units, { maxLength: 60 }).map((all) => all.join('')),
);

it('joins to the JSON of the text, wherever its pieces end', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 9 }), (text, length) => {
      const pieces = [...jsonTextPieces(text, length)];
      expect(`"${Buffer.concat(pieces)}"`).toBe(JSON.stringify(text));
      expect(pieces.length).toBeGreaterThanOrEqual(text.length / length);
    }),
    { numRuns: 1_000 },
  );
});

it('makes a piece when it is asked for', () => {
  const { value } = jsonTextPieces('\u6f22'.repeat(1_000_000)).next();
  expect(value).toHaveLength(3 * 64 * 1024);
});
