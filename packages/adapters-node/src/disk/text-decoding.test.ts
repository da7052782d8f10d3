import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from './text-decoding.ts';

describe('decodeText', () => {
  it('CONTENT-05: loses nothing, or refuses', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (array) => {
        const bytes = Buffer.from(array);
        const decoded = decodeText(bytes);
        expect(decoded.ok ? Buffer.from(decoded.text, 'utf8') : bytes).toEqual(bytes);
      }),
    );
  });

  it('CONTENT-05: decodes any well-formed text without NUL', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (part) => {
        const text = `// ${part.replaceAll('\0', '')}`;
        expect(decodeText(Buffer.from(text, 'utf8'))).toEqual({ ok: true, text });
      }),
    );
  });

  it.each([
    ['UTF-8 byte order mark', [0xef, 0xbb, 0xbf, 0x61], { ok: true, text: '\uFEFFa' }],
    ['UTF-16LE', [0xff, 0xfe, 0x61, 0x00], { ok: false, reason: 'not-utf8', detail: 'UTF-16' }],
    ['UTF-16BE', [0xfe, 0xff, 0x00, 0x61], { ok: false, reason: 'not-utf8', detail: 'UTF-16' }],
    ['UTF-32LE', [0xff, 0xfe, 0x00, 0x00], { ok: false, reason: 'not-utf8', detail: 'UTF-32' }],
    ['UTF-32BE', [0x00, 0x00, 0xfe, 0xff], { ok: false, reason: 'not-utf8', detail: 'UTF-32' }],
    ['a truncated sequence', [0x61, 0xe2, 0x82], { ok: false, reason: 'not-utf8' }],
    ['an encoded surrogate', [0xed, 0xa0, 0x80], { ok: false, reason: 'not-utf8' }],
    ['an overlong slash', [0xc0, 0xaf], { ok: false, reason: 'not-utf8' }],
    ['nothing', [], { ok: true, text: '' }],
  ])('%s', (_, bytes, expected) => {
    expect(decodeText(Buffer.from(bytes))).toEqual(expected);
  });

  it.each([
    ['ASCII', 'plain '],
    ['western European text', 'Größe, à côté '],
    ['Chinese', '天地玄黃 '],
    ['a byte order mark, characters of every length', '\uFEFFa é 漢 🙂 \u2028'],
  ])('CONTENT-05: loses nothing of a large text: %s', (_, part) => {
    const text = part.repeat(300_000);
    const decoded = decodeText(Buffer.from(text, 'utf8'));
    // Not by toEqual, which would take seconds to show the difference.
    expect(decoded.ok && decoded.text === text).toBe(true);
  });

  it.each([
    ['%PDF-1.7\n', 'PDF'],
    ['GIF89a,', 'GIF'],
    ['!<arch>\nx', 'ar'],
    ['a\0', 'NUL bytes'],
  ])('CONTENT-06: %j is binary', (text, detail) => {
    expect(decodeText(Buffer.from(text, 'latin1'))).toEqual({ ok: false, reason: 'binary', detail });
  });
});
