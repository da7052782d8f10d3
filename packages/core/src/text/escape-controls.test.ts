import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EscapedControls, escapeControls } from './escape-controls.ts';

describe('escapeControls', () => {
  it.each([
    ['a sequence that clears the screen', '\u001b[2J', '\\u{1b}[2J'],
    ['a sequence that sets the title, and its bell', '\u001b]0;x\u0007', '\\u{1b}]0;x\\u{7}'],
    ['a link that shows another address', '\u001b]8;;http://a\u001b\\b', '\\u{1b}]8;;http://a\\u{1b}\\b'],
    ['the same with bytes of C1', '\u009b2J\u009d0;x\u009c', '\\u{9b}2J\\u{9d}0;x\\u{9c}'],
    ['NUL, backspace, delete', '\0a\bb\u007f', '\\u{0}a\\u{8}b\\u{7f}'],
    ['a return that overwrites a line', 'safe\revil', 'safe\\u{d}evil'],
    ['next line, and separators', 'a\u0085b\u2028c\u2029', 'a\\u{85}b\\u{2028}c\\u{2029}'],
    ['overrides and isolates', '\u202ea\u202c\u2066b\u2069', '\\u{202e}a\\u{202c}\\u{2066}b\\u{2069}'],
    ['marks of direction in Latin text', 'a\u200eb\u200fc\u061c', 'a\\u{200e}b\\u{200f}c\\u{61c}'],
    [
      'what has no width',
      'a\u200bb\u200cc\u200dd\u2060e\ufefff\u00ad',
      'a\\u{200b}b\\u{200c}c\\u{200d}d\\u{2060}e\\u{feff}f\\u{ad}',
    ],
    ['text in tags', 'a\u{e0001}\u{e0068}\u{e0069}', 'a\\u{e0001}\\u{e0068}\\u{e0069}'],
    ['tags after an invalid flag', '\u{1f3f4}\u{e0068}\u{e0069}', '\u{1f3f4}\\u{e0068}\\u{e0069}'],
    ['bytes in variation selectors', 'a\ufe01\ufe02\u{e0101}', 'a\\u{fe01}\\u{fe02}\\u{e0101}'],
    ['a second selector after an emoji', '\u2764\ufe0f\ufe0f', '\u2764\ufe0f\\u{fe0f}'],
    ['annotations between lines', '\ufff9a\ufffab\ufffb', '\\u{fff9}a\\u{fffa}b\\u{fffb}'],
    ['fillers', 'a\u3164b\uffa0c\u034f', 'a\\u{3164}b\\u{ffa0}c\\u{34f}'],
    ['halves of characters', 'a\ud83d b\ude00', 'a\\u{d83d} b\\u{de00}'],
  ])('makes visible: %s (FORGED-01)', (_, text, shown) => {
    expect(escapeControls(text)).toBe(shown);
    expect(escapeControls(shown)).toBe(shown);
  });

  it.each([
    ['plain text with tabs and line ends', 'a\tb\nc\r\nd'],
    ['what looks like an escape', '\\u{1b} \\x1b'],
    ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
    ['a doctor of a skin colour', '\u{1f469}\u{1f3fd}\u200d\u2695\ufe0f'],
    ['a heart in colour, a key cap', '\u2764\ufe0f 1\ufe0f\u20e3'],
    ['a rainbow flag', '\u{1f3f3}\ufe0f\u200d\u{1f308}'],
    ['the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['a flag of a country', '\u{1f1e9}\u{1f1ea}'],
    ['Persian with a non-joiner', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['Hindi with a joiner', '\u0915\u094d\u200d\u0937'],
    ['Thai with spaces of no width', '\u0e20\u0e32\u200b\u0e44\u0e17'],
    ['Hebrew with a mark of direction', '\u05e9\u05dc\u05d5\u05dd\u200f!'],
    ['a variant of a Chinese character', '\u845b\u{e0100}'],
    ['an Arabic number sign', '\u0600\u0661'],
    ['icons of a font', '\ue0b0'],
  ])('leaves %s', (_, text) => {
    expect(escapeControls(text)).toBe(text);
  });

  it('shows a text the same, however it comes in pieces (FORGED-02)', () => {
    const unit = fc.constantFrom(
      ...['a', '\n', '\r', '\u001b', '[', '\u200d', '\u200c', '\u200b', '\u200f', '\ufe0f', '\u{1f468}', '\u{1f3f4}'],
      ...[
        '\u{e0067}',
        '\u{e0062}',
        '\u{e007f}',
        '\u0915',
        '\u094d',
        '\u0645',
        '\u05d0',
        '\ud83d',
        '\ude00',
        '\u{e0100}',
      ],
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), fc.infiniteStream(fc.nat(3)), (units, sizes) => {
        const text = units.join('');
        const escaped = new EscapedControls();
        let pieces = '';
        let place = 0;
        for (const size of sizes) {
          if (place >= text.length) {
            break;
          }
          pieces += escaped.push(text.slice(place, place + size));
          place += size;
        }
        expect(pieces + escaped.end()).toBe(escapeControls(text));
      }),
      { numRuns: 500 },
    );
  });

  it('leaves nothing that acts on a terminal', () => {
    const acting = /(?![\t\n]|\r\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069\p{Cs}]/u;
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(acting.test(escapeControls(text))).toBe(false);
      }),
    );
  });

  it('grows no text without bound', () => {
    const shown = escapeControls('\u001b'.repeat(2_000_000));
    expect(shown.length).toBe(100_000 * 6 + 1_900_000);
  });
});
