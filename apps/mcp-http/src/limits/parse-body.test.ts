import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBody } from './read-body.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('parseBody', () => {
  it('reads any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        expect(parseBody(bytes(JSON.stringify(value)))).toEqual({
          ok: true,
          value: JSON.parse(JSON.stringify(value)),
        });
      }),
    );
  });

  it.each([
    ['nothing', '', 'not valid JSON'],
    ['half of an object', '{"a":', 'not valid JSON'],
    ['an object in JavaScript syntax only', "{a: 'b'}", 'not valid JSON'],
    ['two values', '{}{}', 'not valid JSON'],
    ['a NUL', '{"a":1}\0', 'not valid JSON'],
    ['too many levels', nested(257), 'more than 256 levels'],
    ['100,000 levels', nested(100_000), 'more than 256 levels'],
    ['100,000 levels of objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 'more than 256 levels'],
  ])('refuses %s', (_, text, message) => {
    expect(parseBody(bytes(text))).toEqual({
      ok: false,
      refusal: { status: 400, code: 'malformed-body', message: expect.stringContaining(message), rpcCode: -32_700 },
    });
  });

  it.each([
    ['an invalid byte', [0x22, 0xff, 0x22]],
    ['half of a character', [0x22, 0xe2, 0x82, 0x22]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x22, 0x00, 0x22, 0x00]],
  ])('refuses invalid UTF-8: %s', (_, octets) => {
    expect(parseBody(Uint8Array.from(octets))).toMatchObject({
      refusal: { status: 400, message: 'The body is not valid UTF-8.' },
    });
  });

  it('ignores brackets within texts, however these end', () => {
    const texts = fc.array(fc.constantFrom('{', '[', ']', '}', '"', '\\', 'é', ','), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(texts), fc.integer({ min: 250, max: 260 }), (pieces, levels) => {
        const strings = JSON.stringify([...pieces.map((each) => each.join('')), '['.repeat(300), ']'.repeat(300)]);
        const text = `${'['.repeat(levels - 1)}${strings}${']'.repeat(levels - 1)}`;
        expect(parseBody(bytes(text)).ok).toBe(levels <= 256);
      }),
    );
  });

  it('accepts the maximal depth', () => {
    expect(parseBody(bytes(nested(256))).ok).toBe(true);
  });

  it('quotes nothing of the body', () => {
    expect(JSON.stringify(parseBody(bytes('{"token": canary}')))).not.toContain('canary');
  });

  it('uses the last of two equal keys, and treats __proto__ as a key', () => {
    const parsed = parseBody(bytes('{"a":1,"a":2,"__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}}}'));
    const value = parsed.ok ? Object(parsed.value) : {};
    expect(value.a).toBe(2);
    expect(Object.keys(value)).toEqual(['a', '__proto__', 'constructor']);
    expect(value.polluted).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object('').polluted).toBeUndefined();
  });
});
