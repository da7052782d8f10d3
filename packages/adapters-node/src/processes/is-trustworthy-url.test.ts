import { expect, it } from 'vitest';
import { isTrustworthyUrl } from './is-trustworthy-url.ts';

it.each([
  ['https://login.example', true],
  ['http://localhost:8080/', true],
  ['http://127.0.0.1:8080', true],
  ['http://127.0.0.2:8080', true],
  ['http://[::ffff:127.0.0.1]/', true],
  ['http://login.example', false],
  ['http://10.0.0.1', false],
  ['http://169.254.169.254', false],
  ['http://localhost.example', false],
  ['ftp://localhost', false],
  ['no address', false],
])('UPSTREAM-L4: responses from %s are authentic: %s', (url, isTrustworthy) => {
  expect(isTrustworthyUrl(url)).toBe(isTrustworthy);
});
