import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerCredential } from '@gemini-mcp/core/internal';
import { FakeClock } from '@gemini-mcp/core/testing';
import {
  describeCredentialStoreContract,
  InMemoryKeychain,
  recordsInTemporaryDirectory,
} from '@gemini-mcp/port-contracts/internal';
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
    keychain: new InMemoryKeychain(),
    isSealed: false,
    onQuarantine: (one) => quarantined.push(one),
  });
}

async function files(): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** How the directories of the records of a server begin. */
function nameOf(address: string): string {
  return createHash('sha256').update(JSON.stringify(address)).digest('hex').slice(0, 32);
}

for (const isSealed of [false, true]) {
  const keychain = new InMemoryKeychain();
  const inDirectory = recordsInTemporaryDirectory(
    (records) => new FileCredentialStore({ directory: records, clock: new FakeClock(), keychain, isSealed }),
    { laterRecord: '{"format":99,"value":{}}' },
  );
  describeCredentialStoreContract({
    name: isSealed ? 'FileCredentialStore, sealed' : 'FileCredentialStore',
    ...inDirectory,
    create: async () => {
      const { damage, ...harness } = await inDirectory.create();
      return {
        ...harness,
        ended: () => '999999999-1-0123456789abcdef',
        damage: async ({ server: damaged }, how) => await damage?.(nameOf(damaged), how),
      };
    },
  });
}

describe('FileCredentialStore', () => {
  it('leaves no file of what was taken away', async () => {
    await open().save('alice', { credential, expectedVersion: 0 }, never);
    expect(await open().remove(place, never)).toBeNull();
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

  it('moves one away that was cut in mid-write', async () => {
    await open().save('alice', { credential, expectedVersion: 0 }, never);
    const [path = ''] = (await files()).filter((name) => name.endsWith('.json'));
    await truncate(path, 100);
    expect(await open().find(place, never)).toBeNull();
    expect(quarantined).toHaveLength(1);
  });

  it('one that was moved to the place of another owner or server is none', async () => {
    await open().save('alice', { credential, expectedVersion: 0 }, never);
    const [path = ''] = (await files()).filter((name) => name.endsWith('.json'));
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll(server, 'https://evil.example.com'));
    expect(await open().find(place, never)).toBeNull();
    expect(quarantined).toMatchObject([{ reason: 'the record of another place' }]);
  });

  it.skipIf(process.platform === 'win32')('holds nothing where no directory for it could be made', async () => {
    await chmod(directory, 0o755);
    expect(await open().find(place, never)).toBeNull();
    expect(await open().remove(place, never)).toBeNull();
  });

  it.skipIf(process.platform === 'win32')('a directory that others can enter is not used', async () => {
    await open().save('alice', { credential, expectedVersion: 0 }, never);
    await chmod(join(directory, 'credentials'), 0o755);
    expect(await open().save('alice', { credential, expectedVersion: 0 }, never)).toMatchObject({
      saved: false,
      reason: 'unavailable',
    });
    await expect(open().find(place, never)).rejects.toThrow(/cannot be read: .*\w/);
    expect(await open().remove(place, never)).toMatch(/^The credential could not be taken away\. /);
  });
});
