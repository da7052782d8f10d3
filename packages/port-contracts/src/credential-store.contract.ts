import { describe, expect } from 'vitest';
import { describeCredentialFaults } from './credential-store-faults.contract.ts';
import {
  type CredentialStoreHarness,
  type CredentialStoreSubject,
  credentialOf,
  fullCredential,
  place,
  server,
  signal,
  versionOf,
} from './credential-store-harness.ts';
import { describeCredentialVersions } from './credential-store-versions.contract.ts';
import { ownersAlike } from './owners-alike.ts';
import type { StoreFeatures } from './store-features.ts';
import { watchStores } from './watch-stores.ts';

export type CredentialStoreContractOptions = {
  readonly name: string;
  readonly features: StoreFeatures;
  readonly create: () => Promise<CredentialStoreHarness>;
  /** As in `ProofOptions`. */
  readonly deadlineMs?: number;
};

/** Addresses that a store could take for one. */
const addressesAlike: readonly string[] = [
  ...[server, `${server}/`, `${server}/other`, `${server}?a=1`, `${server}#a`, `${server} `, server.slice(0, -1)],
  ...['https://MCP.example.com/mcp', 'https://mcp.example.com/MCP', 'http://mcp.example.com/mcp'],
  ...['https://mcp.example.com:8443/mcp', 'https://other.example.com/mcp', 'https://user@mcp.example.com/mcp'],
];

/** What every `CredentialStore` owes. */
export function describeCredentialStoreContract(options: CredentialStoreContractOptions): void {
  const { name, features, create, deadlineMs } = options;
  describe(`CredentialStore contract: ${name}`, () => {
    const { proof, hold } = watchStores({ port: 'CredentialStore', name, deadlineMs });
    const open = async (): Promise<CredentialStoreHarness> => hold(await create());
    const subject = { proof, open, features };
    describeKeeping(subject);
    describeApart(subject);
    describeRemoving(subject);
    describeRenewers(subject);
    describeCredentialVersions(subject);
    describeCredentialFaults(subject);
  });
}

function describeKeeping({ proof, open }: CredentialStoreSubject): void {
  for (const [what, credential] of [['full', fullCredential] as const, ['bare', credentialOf()] as const]) {
    proof.promise(`a ${what} credential that was saved is there whole, also for another process`, async () => {
      const { store, reopen } = await open();
      expect(await store.find(place, signal)).toBeNull();
      const version = versionOf(await store.save('alice', { credential, expectedVersion: 0 }, signal));
      for (const one of [store, reopen(), store]) {
        expect(await one.find(place, signal)).toEqual({ credential, version });
      }
    });
  }

  proof.promise('of several issuers the credential is found that was changed last', async () => {
    const { store, reopen } = await open();
    for (const [index, updatedAtMs] of [2_000, 4_000, 1_000, 3_000].entries()) {
      const credential = credentialOf({ issuer: `https://issuer-${index}.example`, updatedAtMs });
      expect(await store.save('alice', { credential, expectedVersion: 0 }, signal)).toMatchObject({ saved: true });
    }
    expect((await reopen().find(place, signal))?.credential.updatedAtMs).toBe(4_000);
  });
}

function describeApart({ proof, open }: CredentialStoreSubject): void {
  proof.promise('owners are told apart by every character', async () => {
    const { store, reopen } = await open();
    for (const [index, owner] of ownersAlike.entries()) {
      expect(await store.find({ owner, server }, signal), owner).toBeNull();
      const credential = credentialOf({ serial: `serial-${index}` });
      expect(await store.save(owner, { credential, expectedVersion: 0 }, signal)).toMatchObject({ saved: true });
    }
    for (const [index, owner] of ownersAlike.entries()) {
      expect((await reopen().find({ owner, server }, signal))?.credential.serial).toBe(`serial-${index}`);
    }
  });

  proof.promise('servers are told apart by every character', async () => {
    const { store, reopen } = await open();
    for (const address of addressesAlike) {
      expect(await store.find({ ...place, server: address }, signal), address).toBeNull();
      const credential = credentialOf({ server: address });
      expect(await store.save('alice', { credential, expectedVersion: 0 }, signal)).toMatchObject({ saved: true });
    }
    for (const address of addressesAlike) {
      const found = await reopen().find({ ...place, server: address }, signal);
      expect(found?.credential).toEqual(credentialOf({ server: address }));
    }
  });

  proof.promise('issuers are told apart by every character', async () => {
    const { store } = await open();
    for (const [index, issuer] of addressesAlike.entries()) {
      const credential = credentialOf({ issuer, updatedAtMs: index });
      expect(await store.save('alice', { credential, expectedVersion: 0 }, signal)).toMatchObject({ saved: true });
      expect((await store.find(place, signal))?.credential).toEqual(credential);
    }
  });
}

function describeRemoving({ proof, open }: CredentialStoreSubject): void {
  proof.promise('remove() takes the credentials of all issuers, and no others', async () => {
    const { store, reopen } = await open();
    const other = { owner: 'bob', server };
    const elsewhere = { ...place, server: `${server}/other` };
    for (const issuer of addressesAlike) {
      await store.save('alice', { credential: credentialOf({ issuer }), expectedVersion: 0 }, signal);
    }
    await store.save(other.owner, { credential: credentialOf(), expectedVersion: 0 }, signal);
    const credential = credentialOf({ server: elsewhere.server });
    await store.save('alice', { credential, expectedVersion: 0 }, signal);
    expect(await reopen().remove(place, signal)).toBeNull();
    expect(await store.find(place, signal)).toBeNull();
    expect(await reopen().find(place, signal)).toBeNull();
    expect((await reopen().find(other, signal))?.credential).toEqual(credentialOf());
    expect((await reopen().find(elsewhere, signal))?.credential).toEqual(credential);
  });

  proof.promise('remove() finds nothing wrong where there is nothing', async () => {
    const { store } = await open();
    expect(await store.remove(place, signal)).toBeNull();
    await store.save('alice', { credential: credentialOf(), expectedVersion: 0 }, signal);
    expect(await store.remove({ ...place, owner: 'bob' }, signal)).toBeNull();
    expect(await store.remove(place, signal)).toBeNull();
    expect(await store.remove(place, signal)).toBeNull();
  });
}

function describeRenewers({ proof, open }: CredentialStoreSubject): void {
  proof.promise('a renewer runs as long as its process, as another one sees it too', async () => {
    const { store, reopen, ended } = await open();
    expect(store.renewer).not.toBe('');
    expect(store.runs(store.renewer)).toBe(true);
    expect(reopen().runs(store.renewer)).toBe(true);
    expect(store.runs(ended())).toBe(false);
    expect(reopen().runs(ended())).toBe(false);
  });

  proof.promise('runs() throws for no name, and takes an empty one for none that runs', async () => {
    const { store } = await open();
    for (const strange of ['x', '..', '__proto__', '\u0000', '-', '9'.repeat(400)]) {
      expect(store.runs(strange), strange).toEqual(expect.any(Boolean));
    }
    expect(store.runs('')).toBe(false);
  });
}
