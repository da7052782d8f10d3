import { chmod, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerCredential } from '@gemini-mcp/core/internal';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Quarantined } from '../state/quarantine.ts';
import { FileCredentialStore } from './file-credential-store.ts';

const never = new AbortController().signal;
const server = 'https://mcp.example.com/mcp';
const place = { owner: 'alice', server };

const credential: ServerCredential = {
  server,
  resource: server,
  issuer: 'https://login.example.com',
  tokenUrl: 'https://login.example.com/token',
  tokenMethods: [],
  revocationUrl: null,
  client: {
    id: 'ours',
    secret: 'a secret of ours',
    method: null,
    secretExpiresAtMs: null,
    redirectUri: 'http://127.0.0.1:1/oauth/callback',
    scopes: [],
  },
  serial: 'first',
  tokens: { access: 'an access token', refresh: 'a refresh token', expiresAtMs: null, scopes: ['tools'] },
  refusal: null,
  wantedScopes: [],
  renewal: null,
  updatedAtMs: 1,
};

let directory: string;
let quarantined: Quarantined[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'credentials-'));
  quarantined = [];
});

afterEach(() => rm(directory, { recursive: true }));

function open(): FileCredentialStore {
  return new FileCredentialStore({
    directory,
    clock: new FakeClock(),
    onQuarantine: (one) => quarantined.push(one),
  });
}

async function files(): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('FileCredentialStore', () => {
  it('gives a credential back, client and all, to another process too', async () => {
    await open().save('alice', { credential, expectedVersion: 0 }, never);
    expect(await open().find(place, never)).toEqual({ credential, version: expect.any(Number) });
  });

  it('of several who save over one version one succeeds', async () => {
    const first = await open().save('alice', { credential, expectedVersion: 0 }, never);
    const version = first.saved ? first.version : 0;
    const saves = await Promise.all(
      ['a', 'b', 'c', 'd'].map((serial) =>
        open().save('alice', { credential: { ...credential, serial }, expectedVersion: version }, never),
      ),
    );
    expect(saves.filter(({ saved }) => saved)).toHaveLength(1);
    expect(saves.filter((save) => !save.saved && save.reason === 'conflict')).toHaveLength(3);
    expect(await open().save('alice', { credential, expectedVersion: 0 }, never)).toEqual({
      saved: false,
      reason: 'conflict',
    });
  });

  it('keeps owners and servers apart, and gives the newest of several issuers', async () => {
    const store = open();
    const other = { ...credential, issuer: 'https://other.example', updatedAtMs: 2, serial: 'newer' };
    await store.save('alice', { credential, expectedVersion: 0 }, never);
    await store.save('alice', { credential: other, expectedVersion: 0 }, never);
    expect((await store.find(place, never))?.credential.serial).toBe('newer');
    expect(await store.find({ ...place, owner: 'bob' }, never)).toBeNull();
    expect(await store.find({ ...place, server: `${server}/other` }, never)).toBeNull();
    expect(await store.remove(place, never)).toBeNull();
    expect(await store.find(place, never)).toBeNull();
    expect(await files()).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')(
    'only the user can read it, and no name says for whom or what it is',
    async () => {
      await open().save('alice', { credential, expectedVersion: 0 }, never);
      const modes = await Promise.all((await files()).map(async (path) => (await stat(path)).mode & 0o777));
      expect(new Set(modes)).toEqual(new Set([0o600]));
      const names = (await files()).map((path) => path.slice(directory.length)).join(' ');
      expect(names).not.toMatch(/alice|example|mcp|token/);
    },
  );

  it('one that was cut in mid-write is none, is moved away, and the next login is kept', async () => {
    await open().save('alice', { credential, expectedVersion: 0 }, never);
    const [path = ''] = (await files()).filter((name) => name.endsWith('.json'));
    await truncate(path, 100);
    expect(await open().find(place, never)).toBeNull();
    expect(quarantined).toHaveLength(1);
    expect(await open().save('alice', { credential, expectedVersion: 0 }, never)).toMatchObject({ saved: true });
    expect(await open().find(place, never)).toMatchObject({ credential });
  });

  it('one that was moved to the place of another owner or server is none', async () => {
    await open().save('alice', { credential, expectedVersion: 0 }, never);
    const [path = ''] = (await files()).filter((name) => name.endsWith('.json'));
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll(server, 'https://evil.example.com'));
    expect(await open().find(place, never)).toBeNull();
    expect(quarantined).toMatchObject([{ reason: 'the record of another place' }]);
  });

  it.skipIf(process.platform === 'win32')('a directory that others can enter is not used', async () => {
    await open().save('alice', { credential, expectedVersion: 0 }, never);
    await chmod(join(directory, 'credentials'), 0o755);
    expect(await open().save('alice', { credential, expectedVersion: 0 }, never)).toMatchObject({
      saved: false,
      reason: 'unavailable',
    });
  });

  it('knows that its own process runs, and that one that has ended does not', () => {
    const store = open();
    expect(store.runs(store.renewer)).toBe(true);
    expect(store.runs('999999999-1-0123456789abcdef')).toBe(false);
  });
});
