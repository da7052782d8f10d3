import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromUtf8, sha256, utf8 } from './sha256.ts';

describe('the digest of fakes', () => {
  it('is SHA-256', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(sha256(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
      }),
    );
  });

  it('is made of UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(Buffer.from(utf8(text))).toEqual(Buffer.from(text, 'utf8'));
        expect(fromUtf8(utf8(text))).toBe(Buffer.from(text, 'utf8').toString());
      }),
    );
  });
});
