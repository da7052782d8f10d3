import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkHost } from './guard-host.ts';

function check(host: string, { url = '/mcp', allowedHosts = [] as readonly string[] } = {}): boolean {
  return checkHost({ url, headersDistinct: { host: [host] } }, allowedHosts);
}

describe('checkHost', () => {
  it.each(['localhost', 'localhost:3000', 'LOCALHOST:1', '127.0.0.1', '127.0.0.1:65535', '[::1]', '[::1]:3000'])(
    'lets %s in',
    (host) => {
      expect(check(host)).toBe(true);
    },
  );

  it.each([
    'evil.com',
    'evil.com:3000',
    '127.0.0.1.evil.com',
    'localhost.evil.com',
    'evil.com@localhost',
    'localhost, evil.com',
    '127.1',
    '2130706433',
    '0.0.0.0',
    '127.0.0.2',
    'localhost.',
    '[::ffff:127.0.0.1]',
    '[::]',
    '::1',
    '',
  ])('refuses %j', (host) => {
    expect(check(host)).toBe(false);
  });

  it('refuses a request without a host or with two', () => {
    expect(checkHost({ url: '/mcp', headersDistinct: {} }, [])).toBe(false);
    expect(checkHost({ url: '/mcp', headersDistinct: { host: ['localhost', 'localhost'] } }, [])).toBe(false);
  });

  it.each(['http://evil.com/mcp', 'http://localhost/mcp', 'https://localhost/mcp', '*', 'localhost:80', ''])(
    'refuses the target %j, whatever the host',
    (url) => {
      expect(check('localhost', { url })).toBe(false);
    },
  );

  it('lets configured names in, with any port or with theirs', () => {
    const allowedHosts = ['Gemini.Example.com', 'other.example.com:8443'];
    expect(check('gemini.example.com', { allowedHosts })).toBe(true);
    expect(check('GEMINI.example.com:443', { allowedHosts })).toBe(true);
    expect(check('other.example.com:8443', { allowedHosts })).toBe(true);
    expect(check('other.example.com', { allowedHosts })).toBe(false);
    expect(check('other.example.com:84433', { allowedHosts })).toBe(false);
    expect(check('x.gemini.example.com', { allowedHosts })).toBe(false);
  });

  it('allows only names that a browser resolves to this machine without DNS', () => {
    void fc.assert(
      fc.property(fc.domain(), fc.option(fc.integer({ min: 1, max: 65_535 })), (domain, port) => {
        expect(check(port === null ? domain : `${domain}:${port}`)).toBe(false);
      }),
    );
  });
});
