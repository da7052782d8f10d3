import { describe, expect, it } from 'vitest';
import type { RecordStore } from '../ports/record-store.ts';
import type { Sealer } from '../ports/upstreams/sealer.ts';
import type { CredentialSave, ServerCredential } from '../ports/upstreams/server-credential.ts';
import { InMemoryRecordStore } from '../records/in-memory-record-store.ts';
import { sha256, utf8 } from '../testing/sha256.ts';
import { CredentialRecords } from './credential-records.ts';

const signal = new AbortController().signal;
const server = 'https://mcp.example.com/mcp';
const place = { owner: 'alice', server };

/** One with something in each place. */
const credential: ServerCredential = {
  server,
  resource: `${server}/`,
  issuer: 'https://login.example.com',
  tokenUrl: 'https://login.example.com/token',
  tokenMethods: ['client_secret_basic', 'none'],
  revocationUrl: 'https://login.example.com/revoke',
  client: {
    id: 'ours',
    secret: ' \u0000\ud83d ',
    method: 'client_secret_post',
    secretExpiresAtMs: 1_800_000_000_123,
    redirectUri: 'http://127.0.0.1:65535/oauth/callback',
    scopes: ['tools', 'Tools', ''],
  },
  serial: 'first',
  tokens: { access: `${'a'.repeat(20_000)} `, refresh: 'r', expiresAtMs: 1_700_000_000_456, scopes: ['b', 'a', 'a'] },
  refusal: 'The issuer says "invalid_grant".',
  wantedScopes: ['admin'],
  renewal: { by: 'somebody', untilMs: 1_699_999_999_999 },
  updatedAtMs: 1_000,
};

/** Addresses that a store could take for one. */
const addressesAlike = [
  ...[server, `${server}/`, `${server}/other`, `${server}?a=1`, `${server}#a`, `${server} `, server.slice(0, -1)],
  ...['https://MCP.example.com/mcp', 'http://mcp.example.com/mcp', 'https://user@mcp.example.com/mcp'],
];

const noSealer: Sealer = {
  prepare: async () => 'There is no keychain.',
  seal: async () => ({ sealed: false, problem: 'There is no keychain.' }),
  open: async () => ({ type: 'no-key', problem: 'There is no keychain.' }),
};

function open(records: RecordStore = new InMemoryRecordStore(), isSealed = false): CredentialRecords {
  return new CredentialRecords({ records, sha256: (text) => sha256(utf8(text)), sealer: noSealer, isSealed });
}

function versionOf(save: CredentialSave): number {
  return save.saved ? save.version : -1;
}

async function save(store: CredentialRecords, fields: Partial<ServerCredential>, owner = 'alice'): Promise<number> {
  return versionOf(await store.save(owner, { credential: { ...credential, ...fields }, expectedVersion: 0 }, signal));
}

describe('CredentialRecords', () => {
  it('gives a credential back whole, and its version', async () => {
    const records = new InMemoryRecordStore();
    const version = await save(open(records), {});
    expect(await open(records).find(place, signal)).toEqual({ credential, version });
  });

  it('distinguishes owners, servers and issuers by every character, and finds the newest of all issuers', async () => {
    const store = open();
    for (const [index, issuer] of addressesAlike.entries()) {
      await save(store, { issuer, updatedAtMs: index === 3 ? 100 : index });
      await save(store, { server: `${issuer}x`, serial: issuer });
      expect(await store.find({ owner: 'Alice', server }, signal)).toBeNull();
    }
    expect((await store.find(place, signal))?.credential.issuer).toBe(addressesAlike[3]);
    for (const address of addressesAlike) {
      expect((await store.find({ ...place, server: `${address}x` }, signal))?.credential.serial).toBe(address);
    }
  });

  it('remove() takes the credentials of all issuers for one server and owner, and no others', async () => {
    const store = open();
    await save(store, {});
    await save(store, { issuer: 'https://other.example' });
    await save(store, { server: `${server}/other` });
    await save(store, {}, 'bob');
    expect([await store.remove(place, signal), await store.remove(place, signal)]).toEqual([null, null]);
    expect(await store.find(place, signal)).toBeNull();
    expect(await store.find({ owner: 'bob', server }, signal)).not.toBeNull();
    expect(await store.find({ ...place, server: `${server}/other` }, signal)).not.toBeNull();
  });

  it('changed() resolves once the credential has another version, or is gone', async () => {
    const store = open();
    const version = await save(store, {});
    const changing = store.changed('alice', { credential, version }, signal);
    await save(store, { issuer: 'https://other.example' });
    const saved = await store.save('alice', { credential, expectedVersion: version }, signal);
    await changing;
    const going = store.changed('alice', { credential, version: versionOf(saved) }, signal);
    await store.remove(place, signal);
    await going;
  });

  it('says why nothing can be kept, found or removed, and takes no credential for missing', async () => {
    const records: RecordStore = {
      get: () => Promise.reject(new Error('The records cannot be read.')),
      put: async () => ({ saved: false, reason: 'unavailable', detail: 'the disk is full' }),
      list: () => Promise.reject(new Error('The records cannot be read.')),
      delete: async () => ({ deleted: false, reason: 'unavailable', detail: 'the disk is full' }),
      owners: () => Promise.reject(new Error('The records cannot be read.')),
      watch: async () => undefined,
    };
    expect(await open(records).prepare()).toBe('No credential can be kept: the disk is full.');
    await expect(open(records).find(place, signal)).rejects.toThrow('The records cannot be read.');
    expect(await open(records).remove(place, signal)).toBe(
      'The credential could not be removed. The records cannot be read.',
    );
    const whole = new InMemoryRecordStore();
    expect(await open(whole).prepare()).toBeNull();
    expect(await open(whole, true).prepare()).toBe('No credential can be sealed. There is no keychain.');
  });

  it('rejects with the reason of an abort, having saved and removed nothing', async () => {
    const store = open();
    await save(store, {});
    const reason = new Error('stopped');
    const aborted = AbortSignal.abort(reason);
    await expect(store.find(place, aborted)).rejects.toBe(reason);
    await expect(store.save('alice', { credential, expectedVersion: 0 }, aborted)).rejects.toBe(reason);
    await expect(store.remove(place, aborted)).rejects.toBe(reason);
    expect(await store.find(place, signal)).not.toBeNull();
  });
});
