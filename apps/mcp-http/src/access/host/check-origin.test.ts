import { describe, expect, it } from 'vitest';
import { checkOrigin } from './guard-origin.ts';

const host = '127.0.0.1:3000';

describe('checkOrigin', () => {
  it('treats a request without an origin as not from a page', () => {
    expect(checkOrigin({ origins: [], host }, [])).toBe('absent');
  });

  it.each([
    ['http://127.0.0.1:3000', '127.0.0.1:3000'],
    ['http://localhost:3000', 'localhost:3000'],
    ['http://localhost:3000', 'LOCALHOST:3000'],
    ['http://[::1]:3000', '[::1]:3000'],
    ['http://localhost', 'localhost'],
    ['http://localhost', 'localhost:80'],
    ['https://gemini.example.com', 'gemini.example.com'],
    ['https://gemini.example.com', 'gemini.example.com:443'],
    ['https://gemini.example.com:8443', 'gemini.example.com:8443'],
  ])('takes %s for the same origin as the host %s', (origin, requested) => {
    expect(checkOrigin({ origins: [origin], host: requested }, [])).toBe('same');
  });

  it.each([
    'https://evil.com',
    'null',
    'http://localhost.evil.com',
    'http://127.0.0.1:9',
    'http://127.0.0.1',
    'http://localhost:3000',
    'http://127.1:3000',
    'http://127.0.0.1:3000/',
    'http://127.0.0.1:3000/page',
    'http://evil.com@127.0.0.1:3000',
    'http://127.0.0.1:3000 http://evil.com',
    'HTTP://127.0.0.1:3000',
    'file://',
    'ftp://127.0.0.1:3000',
    'chrome-extension://abcdefgh',
    '//127.0.0.1:3000',
    '127.0.0.1:3000',
    '',
  ])('takes %j for foreign', (origin) => {
    expect(checkOrigin({ origins: [origin], host }, [])).toBe('foreign');
  });

  it('treats two origins as foreign, even two of its own', () => {
    expect(checkOrigin({ origins: [`http://${host}`, `http://${host}`], host }, [])).toBe('foreign');
  });

  it('allows configured ones exactly as written, and never null', () => {
    const allowed = ['https://app.example.com', 'null'];
    expect(checkOrigin({ origins: ['https://app.example.com'], host }, allowed)).toBe('configured');
    expect(checkOrigin({ origins: ['http://app.example.com'], host }, allowed)).toBe('foreign');
    expect(checkOrigin({ origins: ['https://app.example.com:444'], host }, allowed)).toBe('foreign');
    expect(checkOrigin({ origins: ['https://app.example.com.evil.com'], host }, allowed)).toBe('foreign');
    expect(checkOrigin({ origins: ['null'], host }, allowed)).toBe('foreign');
  });

  it('takes no origin for the same as an invalid host', () => {
    expect(checkOrigin({ origins: ['http://a'], host: 'a/b' }, [])).toBe('foreign');
  });
});
