import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteEnd, byteStart } from './truncate-text.ts';
import { utf8Length } from './utf8-length.ts';

const anyText = fc.string({ unit: fc.constantFrom('a', '\n', '\u0436', '\u6f22', '\u{1f600}', '\ud83d', '\ude00') });

describe('byteEnd and byteStart', () => {
  it('take as many whole characters as there is room for', () => {
    fc.assert(
      fc.property(anyText, fc.nat(60), (text, maxBytes) => {
        const characters = [...text];
        // Each character is measured by itself: two halves in the wrong order would become one whole when they are reversed.
        const fitting = (pieces: readonly string[]): readonly string[] => {
          let left = maxBytes;
          const tooMuch = pieces.findIndex((piece) => {
            left -= utf8Length(piece);
            return left < 0;
          });
          return tooMuch === -1 ? pieces : pieces.slice(0, tooMuch);
        };
        expect([...text.slice(0, byteEnd(text, 0, maxBytes))]).toEqual(fitting(characters));
        const end = [...text.slice(byteStart(text, maxBytes))];
        expect(end.reverse()).toEqual(fitting(characters.reverse()));
      }),
    );
  });
});
