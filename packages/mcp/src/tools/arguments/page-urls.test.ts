import { expect, it } from 'vitest';
import { pageUrls } from './answer-arguments.ts';

function problemsOf(urls: unknown): readonly string[] {
  const parsed = pageUrls().safeParse(urls);
  return parsed.success ? [] : parsed.error.issues.map(({ message }) => message);
}

it.each([
  'https://example.com/a?b=c&d=%20#e',
  'http://example.com:8080/',
  'https://m\u00fcnchen.example/\u6f22',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]/',
  'https://localhost.example.com/',
  'https://example.local.com/',
])('takes %s as it is', (url) => {
  expect(pageUrls().parse([url])).toEqual([url]);
});

it.each([
  'example.com',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://',
  'https://exa mple.com/',
  'https://example.com/\nhttps://b.example/',
  'https://example.com/\u202e',
  'https://[::1/',
  '',
])('refuses %j, which is no address of the web', (url) => {
  expect(problemsOf([url])).toEqual(['must be an http or https address, without spaces']);
});

it.each(['https://ada:secret@example.com/', 'https://ada@example.com/', 'https://:secret@example.com/'])(
  'refuses %s, and repeats nothing of it',
  (url) => {
    expect(problemsOf([url])).toEqual(['must have no user name and no password: Google would get them']);
  },
);

it.each([
  'http://localhost:3000/',
  'http://LOCALHOST./',
  'http://printer/',
  'http://nas.local/',
  'http://build.corp.internal/',
  'http://router.home.arpa/',
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0.0.0.0/',
  'http://10.1.2.3/',
  'http://100.64.0.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://[::ffff:127.0.0.1]/',
])('refuses %s, which Google does not reach', (url) => {
  expect(problemsOf([url])).toEqual([expect.stringContaining('must be an address of the public web')]);
});

it('takes twenty, as the API does, and no long ones', () => {
  const urls = Array.from({ length: 21 }, (_, index) => `https://example.com/${index}`);
  expect(problemsOf(urls.slice(1))).toEqual([]);
  expect(problemsOf(urls)).toHaveLength(1);
  expect(problemsOf([`https://example.com/${'a'.repeat(2_000)}`])).toHaveLength(1);
  expect(problemsOf(undefined)).toEqual([]);
});
