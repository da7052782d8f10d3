import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeAttribute, escapeName } from './escape-name.ts';

/** Any text that is well-formed. */
const codePoint = fc.oneof(fc.nat(0xff), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }));
const unit = codePoint.map((code) => String.fromCodePoint(code));

const names = [
  ['PATH-16', 'new\nline.txt', 'new\\u{a}line.txt', 'new&#xa;line.txt'],
  ['PATH-16', 'tab\t.txt', 'tab\\u{9}.txt', 'tab&#x9;.txt'],
  ['PATH-16', 'esc\u001b[2J.txt', 'esc\\u{1b}[2J.txt', 'esc&#x1b;[2J.txt'],
  ['PATH-17', '\u202etxt.exe', '\\u{202e}txt.exe', '&#x202e;txt.exe'],
  ['PATH-17', 'a\u200bb.txt', 'a\\u{200b}b.txt', 'a&#x200b;b.txt'],
  ['PATH-17', 'caf\u00e9', 'caf\u00e9', 'caf\u00e9'],
  ['PATH-17', 'cafe\u0301', 'cafe\u0301', 'cafe\u0301'],
  ['line separators', 'a\u2028b\u2029c\u0085d', 'a\\u{2028}b\\u{2029}c\\u{85}d', 'a&#x2028;b&#x2029;c&#x85;d'],
  ['a mark after the first plane', 'a\u{e0001}b', 'a\\u{e0001}b', 'a&#xe0001;b'],
  ['a byte order mark', '\ufeffa', '\\u{feff}a', '&#xfeff;a'],
  ['half of a character', 'a\ud83d', 'a\\u{d83d}', 'a&#xd83d;'],
  ['markup', `<a href="b">&'</a>`, `<a href="b">&'</a>`, '&#60;a href=&#34;b&#34;&#62;&#38;&#39;&#60;/a&#62;'],
  ['an escape', 'a&#10;b', 'a&#10;b', 'a&#38;#10;b'],
  ['an ordinary name', 'src/main.ts', 'src/main.ts', 'src/main.ts'],
] as const;

/** Whatever a terminal or a reader could take for something else than a part of one line. */
const deceptive = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function unescapeAttribute(value: string): string {
  return value.replace(/&#(x?)([0-9a-f]+);/g, (_, x: string, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, x === '' ? 10 : 16)),
  );
}

describe('escapeName', () => {
  it.each(names)('%s: %j is shown as %j', (_, name, shown) => {
    expect(escapeName(name)).toBe(shown);
  });

  it('leaves nothing that moves a cursor, ends a line or turns text around', () => {
    fc.assert(
      fc.property(fc.string({ unit }), (name) => {
        expect(escapeName(name)).not.toMatch(deceptive);
      }),
    );
  });
});

describe('escapeAttribute', () => {
  it.each(names)('%s: %j', (_, name, _shown, value) => {
    expect(escapeAttribute(name)).toBe(value);
  });

  it('stays within its quotes and on its line, and loses nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit }), (name) => {
        const value = escapeAttribute(name);
        expect(value).not.toMatch(deceptive);
        expect(value).not.toMatch(/[<>"']/);
        expect(unescapeAttribute(value)).toBe(name);
      }),
    );
  });
});
