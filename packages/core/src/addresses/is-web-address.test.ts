import { expect, it } from 'vitest';
import { isWebAddress } from './is-web-address.ts';

it.each(['http://a', 'https://a.b/c?d#e', 'HTTPS://A.B', 'https://m\u00fcnchen.example/\u6f22', 'http://[::1]:8080/'])(
  'takes %s',
  (text) => {
    expect(isWebAddress(text)).toBe(true);
  },
);

it.each([
  '',
  'a.b',
  '//a.b',
  'https://',
  'https:///a',
  'https://a b',
  'https://a"><b',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://a.b/\u0007',
  'https://a.b/\u202etxt',
  'https://a.b/\u200b',
  `https://a.b/${'c'.repeat(5_000)}`,
  `https://${'a'.repeat(200_000)}<`,
])('refuses %j', (text) => {
  expect(isWebAddress(text)).toBe(false);
});
