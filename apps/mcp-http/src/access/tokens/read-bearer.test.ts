import { describe, expect, it } from 'vitest';
import { readBearer } from '../authenticate.ts';

const read = (...authorization: readonly string[]): unknown =>
  readBearer({ headersDistinct: { authorization: [...authorization] } });

describe('readBearer', () => {
  it('finds no token without a header', () => {
    expect(readBearer({ headersDistinct: {} })).toEqual({ kind: 'absent' });
  });

  it.each(['Bearer abc', 'bearer abc', 'BEARER abc', 'Bearer    abc'])('reads %j', (header) => {
    expect(read(header)).toEqual({ kind: 'token', token: 'abc' });
  });

  it('accepts every visible ASCII character in a token', () => {
    const token = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('');
    expect(read(`Bearer ${token}`)).toEqual({ kind: 'token', token });
  });

  it.each(['Basic YTpi', 'Digest username="a"', 'DPoP abc', 'Bearerabc', 'abc', ''])(
    'finds no token in %j',
    (header) => {
      expect(read(header)).toEqual({ kind: 'absent' });
    },
  );

  it.each(['Bearer', 'Bearer ', 'Bearer a b', 'Bearer a\tb', 'Bearer ä', 'Bearer a\u0000', 'Bearer \u007f'])(
    'takes no token from %j',
    (header) => {
      expect(read(header)).toEqual({ kind: 'unusable' });
    },
  );

  it('finds no token if two headers came, whichever they are', () => {
    expect(read('Bearer abc', 'Bearer abc')).toEqual({ kind: 'unusable' });
    expect(read('Basic YTpi', 'Bearer abc')).toEqual({ kind: 'unusable' });
  });

  it('reads at most 8,192 characters', () => {
    expect(read(`Bearer ${'a'.repeat(8_192)}`)).toMatchObject({ kind: 'token' });
    expect(read(`Bearer ${'a'.repeat(8_193)}`)).toEqual({ kind: 'unusable' });
  });
});
