import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identifyLogin } from './cli-login.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'login-'));
});

afterEach(() => rm(directory, { recursive: true }));

async function identityWith(name: string, content: string): Promise<string> {
  await writeFile(join(directory, name), content);
  return JSON.stringify(await identifyLogin(directory));
}

function login(refreshToken: string, accessToken: string, expiresAtMs: number): string {
  return JSON.stringify({ refresh_token: refreshToken, access_token: accessToken, expiry_date: expiresAtMs });
}

describe('identifyLogin', () => {
  it('returns nothing without a login', async () => {
    expect(new Set(await identifyLogin(directory))).toEqual(new Set([null]));
    expect(new Set(await identifyLogin(join(directory, 'nowhere')))).toEqual(new Set([null]));
  });

  it('stays the same when the token is renewed', async () => {
    const before = await identityWith('oauth_creds.json', login('lasting', 'one', 1));
    expect(await identityWith('oauth_creds.json', login('lasting', 'another, longer one', 2))).toBe(before);
  });

  it.each([
    ['oauth_creds.json', login('one', 'access', 1), login('two', 'access', 1)],
    ['oauth_creds.json', '{"access_token": "one"}', '{"access_token": "longer"}'],
    ['oauth_creds.json', login('one', 'access', 1), ''],
    ['google_accounts.json', '{"active": "a@example.com", "old": []}', '{"active": "b@example.com", "old": []}'],
    ['google_accounts.json', '{"active": "a@example.com", "old": []}', '{"active": null, "old": ["a@example.com"]}'],
    ['gemini-credentials.json', '0123:4567', '0123:4567:89ab'],
    ['installation_id', 'one', 'another'],
  ])('changes with another login in %s', async (name, one, other) => {
    const before = await identityWith(name, one);
    expect(before).not.toBe(JSON.stringify(await identifyLogin(join(directory, 'nowhere'))));
    expect(await identityWith(name, other)).not.toBe(before);
  });

  it('does not change when accounts are noted that are not in use', async () => {
    const before = await identityWith('google_accounts.json', '{"active": "a@example.com", "old": []}');
    expect(await identityWith('google_accounts.json', '{"active": "a@example.com", "old": ["b@example.com"]}')).toBe(
      before,
    );
  });
});
