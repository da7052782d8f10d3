import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Length } from '../context/utf8-length.ts';
import { byteEnd, byteStart } from './cut-end.ts';

const anyText = fc.string({ unit: fc.constantFrom('a', '\n', '\u0436', '\u6f22', '\u{1f600}', '\ud83d', '\ude00') });

describe('byteEnd and byteStart', () => {
  it('take as many whole characters as there is room for', () => {
    fc.assert(
      fc.property(anyText, fc.nat(60), (text, maxBytes) => {
        const characters = [...text];
        const fitting = (pieces: readonly string[]): string => {
          let taken = '';
          for (const piece of pieces) {
            if (utf8Length(taken) + utf8Length(piece) > maxBytes) {
              break;
            }
            taken += piece;
          }
          return taken;
        };
        expect(text.slice(0, byteEnd(text, 0, maxBytes))).toBe(fitting(characters));
        const end = text.slice(byteStart(text, maxBytes));
        expect([...end].reverse().join('')).toBe(fitting(characters.reverse()));
      }),
    );
  });
});
