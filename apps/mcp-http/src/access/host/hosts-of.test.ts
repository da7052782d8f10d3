import { expect, it } from 'vitest';
import { hostsOf } from './guard-host.ts';

it.each([
  ['configured hosts', { host: '127.0.0.1', allowedHosts: ['a.example'] }, ['a.example', '127.0.0.1']],
  ['the address of the server', { host: '10.0.0.7', allowedHosts: [] }, ['10.0.0.7']],
  ['an IPv6 address, in brackets', { host: 'fd00::7', allowedHosts: [] }, ['[fd00::7]']],
  ['no wildcard address', { host: '0.0.0.0', allowedHosts: ['a.example:8443'] }, ['a.example:8443']],
])('allows %s', (_, settings, expected) => {
  expect(hostsOf({ ...settings, oauth: null })).toEqual(expected);
});

it('allows the host of the OAuth audience', () => {
  const oauth = { issuer: 'https://login.example', audience: 'https://gemini.example:8443/mcp' };
  expect(hostsOf({ host: '0.0.0.0', allowedHosts: [], oauth })).toEqual(['gemini.example:8443']);
});
