import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordKind } from '@gemini-mcp/core';
import { CredentialRecords, type ServerCredential } from '@gemini-mcp/core/internal';
import { FakeClock } from '@gemini-mcp/core/testing';
import { InMemoryKeychain } from '@gemini-mcp/port-contracts/internal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Quarantined } from '../disk/durable/quarantine.ts';
import { FileRecordStore } from './file-record-store.ts';
import { KeychainSealer } from './keychain-sealer.ts';

const never = new AbortController().signal;
const kind: RecordKind = {
  name: 'credentials',
  maxBytesOfRecord: 512_000,
  maxRecordsOfOwner: 1_000,
  maxBytesOfOwner: 64_000_000,
  maxBytes: 1_024_000_000,
  maxAgeMs: null,
  whenFull: 'remove-oldest',
};
const server = 'https://mcp.example.com/mcp';
const issuer = 'https://login.example.com';
const place = { owner: 'alice', server };

const credential: ServerCredential = {
  server,
  resource: server,
  issuer,
  tokenUrl: `${issuer}/token`,
  tokenMethods: [],
  revocationUrl: null,
  client: {
    id: 'ours',
    secret: 'a-secret-of-ours',
    method: null,
    secretExpiresAtMs: null,
    redirectUri: 'http://127.0.0.1:1/oauth/callback',
    scopes: [],
  },
  serial: 'first',
  tokens: { access: 'an-access-token', refresh: 'a-refresh-token', expiresAtMs: null, scopes: ['tools'] },
  refusal: null,
  wantedScopes: [],
  renewal: null,
  updatedAtMs: 1,
};

let clock: FakeClock;
let directory: string;
let keychain: InMemoryKeychain;
let quarantined: Quarantined[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sealed-credentials-'));
  clock = new FakeClock();
  keychain = new InMemoryKeychain();
  quarantined = [];
});

afterEach(() => rm(directory, { recursive: true }));

/** As a process of its own. */
function open(kind: 'sealed' | 'plain' = 'sealed'): CredentialRecords {
  const onQuarantine = (one: Quarantined): number => quarantined.push(one);
  const records = new FileRecordStore({ directory, clock, onQuarantine });
  const sealer = new KeychainSealer({ records, clock, keychain });
  return new CredentialRecords({ records, sha256, sealer, isSealed: kind === 'sealed' });
}

async function save(store: CredentialRecords, owner = 'alice', fields: Partial<ServerCredential> = {}): Promise<void> {
  const kept = { credential: { ...credential, ...fields }, expectedVersion: 0 };
  expect(await store.save(owner, kept, never)).toMatchObject({ saved: true });
}

async function files(): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function allText(): Promise<string> {
  return (await Promise.all((await files()).map((path) => readFile(path, 'utf8')))).join('\n');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The texts of the records of an owner. */
async function texts(owner: string): Promise<readonly string[]> {
  const records = new FileRecordStore({ directory, clock });
  const listed = await records.list({ kind, owner }, 10, never);
  const found = await Promise.all(listed.map(({ key }) => records.get({ kind, owner, key }, never)));
  return found.flatMap((record) => (record === null || record === 'damaged' ? [] : [record.text]));
}

/** As somebody does who can write the records, and has no key. */
async function rewrite(change: (text: string) => string, owner = 'alice'): Promise<void> {
  const records = new FileRecordStore({ directory, clock });
  for (const { key } of await records.list({ kind, owner }, 10, never)) {
    const record = await records.get({ kind, owner, key }, never);
    if (record !== null && record !== 'damaged') {
      const { version: expectedVersion, summary, text } = record;
      await records.put({ kind, owner, key, expectedVersion, stampMs: 1, summary, text: change(text) }, never);
    }
  }
}

const anythingSecret = /token|secret|example|ours|first/;

describe('Credentials that are sealed', () => {
  it('no file has anything of them in it, and only the user can read it', async () => {
    await save(open());
    expect(await allText()).not.toMatch(anythingSecret);
    const modes = await Promise.all((await files()).map(async (path) => (await stat(path)).mode & 0o777));
    expect(process.platform === 'win32' ? [] : [...new Set(modes)]).toEqual(
      process.platform === 'win32' ? [] : [0o600],
    );
    expect((await open().find(place, never))?.credential).toEqual(credential);
  });

  it('the same one, sealed twice, is not the same text', async () => {
    await save(open(), 'alice');
    const [first = '{}'] = await texts('alice');
    const found = await open().find(place, never);
    await open().save('alice', { credential, expectedVersion: found?.version ?? 0 }, never);
    const [second = '{}'] = await texts('alice');
    for (const part of ['nonce', 'text', 'tag']) {
      expect(JSON.parse(second)[part]).not.toBe(JSON.parse(first)[part]);
    }
  });

  it.each(['nonce', 'text', 'tag'])(
    'one with another %s, or a cut one, is invalid, and a login replaces it',
    async (part) => {
      for (const change of [(value: string) => `${value.slice(0, -4)}AAAA`, (value: string) => value.slice(0, 6)]) {
        await save(open());
        await rewrite((text) => {
          const sealed = JSON.parse(text);
          return JSON.stringify({ ...sealed, [part]: change(sealed[part]) });
        });
        expect(await open().find(place, never)).toBeNull();
        expect(await open().remove(place, never)).toBeNull();
      }
      await save(open());
      expect((await open().find(place, never))?.credential).toEqual(credential);
    },
  );

  it.each([
    ['another owner', 'bob', credential],
    ['another server', 'alice', { ...credential, server: 'https://evil.example/mcp' }],
    ['another issuer', 'alice', { ...credential, issuer: 'https://evil.example' }],
  ])('one that was moved to the place of %s is invalid', async (_what, owner, moved) => {
    await save(open());
    const [sealed] = await texts('alice');
    await open().remove(place, never);
    await save(open(), owner, moved);
    await rewrite(() => sealed ?? '', owner);
    expect(await open().find({ owner, server: moved.server }, never)).toBeNull();
  });

  it('eight processes that begin at once make one key, and each reads what the others keep', async () => {
    const owners = Array.from({ length: 8 }, (_, index) => `owner-${index}`);
    await Promise.all(owners.map((owner) => save(open(), owner)));
    expect(keychain.secrets.size).toBe(1);
    for (const owner of owners) {
      expect((await open().find({ owner, server }, never))?.credential).toEqual(credential);
    }
  });

  it('two state directories have a key each', async () => {
    await save(open());
    const first = directory;
    directory = await mkdtemp(join(tmpdir(), 'sealed-credentials-'));
    await save(open());
    expect(keychain.secrets.size).toBe(2);
    await rm(first, { recursive: true });
  });
});

describe('Another choice than before', () => {
  it('what lay there in plain text is sealed with the first use, of all owners and servers', async () => {
    await save(open('plain'));
    await save(open('plain'), 'bob');
    await save(open('plain'), 'bob', { server: `${server}/other` });
    expect(await allText()).toMatch(anythingSecret);
    expect((await open().find(place, never))?.credential).toEqual(credential);
    expect(await allText()).not.toMatch(anythingSecret);
    expect((await open().find({ owner: 'bob', server: `${server}/other` }, never))?.credential.serial).toBe('first');
  });

  it('a login that begins seals what lies there in plain text', async () => {
    await save(open('plain'));
    expect(await open().prepare()).toBeNull();
    expect(await allText()).not.toMatch(anythingSecret);
  });

  it('sealed credentials are found if files are wanted again, and become plain with the next write', async () => {
    await save(open());
    const store = open('plain');
    const found = await store.find(place, never);
    expect(found?.credential).toEqual(credential);
    const again = { credential, expectedVersion: found?.version ?? 0 };
    expect(await store.save('alice', again, never)).toMatchObject({ saved: true });
    keychain.problem = 'There is no keychain here.';
    expect((await open('plain').find(place, never))?.credential).toEqual(credential);
  });
});

describe('A keychain that cannot be used', () => {
  beforeEach(() => {
    keychain.problem = 'The keychain is locked. Unlock it.';
  });

  it('nothing is kept, not even in plain text, and the reason is reported', async () => {
    const store = open();
    expect(await store.prepare()).toBe('No credential can be sealed. The keychain is locked. Unlock it.');
    expect(await store.save('alice', { credential, expectedVersion: 0 }, never)).toEqual({
      saved: false,
      reason: 'unavailable',
      detail: 'The keychain is locked. Unlock it',
    });
    expect(await files()).toEqual([]);
    await save(open('plain'), 'bob');
    keychain.problem = null;
    clock.advance(5_000);
    expect(await store.prepare()).toBeNull();
    await save(store);
  });

  it('is asked once in five seconds', async () => {
    const store = open();
    await store.prepare();
    keychain.problem = 'It is still locked.';
    expect(await store.prepare()).toBe('No credential can be sealed. The keychain is locked. Unlock it.');
    clock.advance(5_000);
    expect(await store.prepare()).toBe('No credential can be sealed. It is still locked.');
  });

  it('is not used without a credential to seal', async () => {
    expect(await open().find(place, never)).toBeNull();
    await save(open('plain'));
    expect((await open('plain').find(place, never))?.credential).toEqual(credential);
  });

  it('what lies there in plain text is not used as if it were sealed', async () => {
    await save(open('plain'));
    await expect(open().find(place, never)).rejects.toThrow(
      'The login is stored in plain text, and cannot be sealed: The keychain is locked. Unlock it.',
    );
  });

  it('a sealed credential is reported, stays, and works again with the keychain', async () => {
    keychain.problem = null;
    await save(open());
    keychain.problem = 'The keychain is locked. Unlock it.';
    for (const kind of ['sealed', 'plain'] as const) {
      await expect(open(kind).find(place, never)).rejects.toThrow(
        'The login is sealed with a key of the keychain. The keychain is locked. Unlock it.',
      );
    }
    keychain.problem = null;
    expect((await open().find(place, never))?.credential).toEqual(credential);
    expect(quarantined).toEqual([]);
  });

  it('a lost key is reported, its login can be removed, and a new key is created', async () => {
    keychain.problem = null;
    await save(open());
    keychain.secrets.clear();
    await expect(open().find(place, never)).rejects.toThrow(
      'The login is sealed with a key of the keychain. The keychain no longer has that key. Log in to this server again.',
    );
    expect(await open().remove(place, never)).toBeNull();
    await save(open());
    expect((await open().find(place, never))?.credential).toEqual(credential);
    expect(keychain.secrets.size).toBe(1);
  });

  it('another value in the place of the key is not a key', async () => {
    keychain.problem = null;
    await save(open());
    for (const name of keychain.secrets.keys()) {
      keychain.secrets.set(name, 'short');
    }
    await expect(open().find(place, never)).rejects.toThrow(/Log in to this server again\.$/);
  });

  it('one that forgets its values is not used', async () => {
    keychain.problem = null;
    keychain.read = async () => ({ type: 'none' });
    expect(await open().prepare()).toBe(
      'No credential can be sealed. The keychain does not return the key that was stored in it.',
    );
    expect(await files()).toEqual([]);
  });
});
