import { describe, expect, it } from 'vitest';
import { parseAuthority } from './value-types.ts';

describe('parseAuthority', () => {
  it.each([
    ['localhost', 'localhost', null],
    ['LocalHost:3000', 'localhost', 3_000],
    ['[::1]:80', '[::1]', 80],
    ['[FE80::1]', '[fe80::1]', null],
    ['a_b.example-c.com:65535', 'a_b.example-c.com', 65_535],
  ])('reads %s', (text, name, port) => {
    expect(parseAuthority(text)).toEqual({ name, port });
  });

  it.each([
    '',
    ':80',
    'a:',
    'a:b',
    'a:80:80',
    'a:65536',
    'a b',
    'user@a',
    'a/b',
    'a,b',
    '::1',
    '[::1',
    '[::1]x',
    'a\u0000',
    'ä',
    'a\n',
  ])('refuses %j', (text) => {
    expect(parseAuthority(text)).toBeNull();
  });
});
