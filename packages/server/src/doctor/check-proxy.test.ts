import { proxiesOf } from '@gemini-mcp/gemini/internal';
import { expect, it } from 'vitest';
import { checkProxy } from './check-proxy.ts';

const check = (variables: Readonly<Record<string, string>>) => checkProxy(proxiesOf(variables));

it('has no check without a proxy', () => {
  expect(check({})).toEqual([]);
  expect(check({ NO_PROXY: 'localhost' })).toEqual([]);
});

it.each([
  [{ https_proxy: 'proxy:8080' }, 'http://proxy:8080'],
  [{ HTTP_PROXY: 'http://ada:secret@proxy:8080/' }, 'http://proxy:8080'],
  [{ HTTPS_PROXY: 'socks5://127.0.0.1:1080', NO_PROXY: 'localhost' }, 'socks5://127.0.0.1:1080, except for localhost'],
])('shows the proxy of %j without a password', (variables, found) => {
  expect(check(variables)).toEqual([{ name: 'Proxy', status: 'ok', found, fix: null }]);
});

it.each(['ftp://ada:secret@proxy', 'http://', 'http://a:%zz@b'])(
  'fails for %j, and names the variables',
  (HTTPS_PROXY) => {
    const [found] = check({ HTTPS_PROXY });
    expect(found).toMatchObject({ status: 'fail', fix: expect.stringContaining('HTTPS_PROXY') });
    expect(JSON.stringify(found)).not.toContain('secret');
  },
);
