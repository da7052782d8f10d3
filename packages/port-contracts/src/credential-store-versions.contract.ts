import type { CredentialStore } from '@gemini-mcp/core/internal';
import { expect } from 'vitest';
import { type CredentialStoreSubject, credentialOf, place, signal, versionOf } from './credential-store-harness.ts';

const conflict = { saved: false, reason: 'conflict' };
const first = credentialOf();
const second = credentialOf({ serial: 'second-serial', updatedAtMs: 2_000 });

/** Of those who save over one version one succeeds. */
export function describeCredentialVersions(subject: CredentialStoreSubject): void {
  describeSaving(subject);
  describeRaces(subject);
}

function describeSaving({ proof, open }: CredentialStoreSubject): void {
  proof.promise('what is saved over the newest takes its place, under another version', async () => {
    const { store, reopen } = await open();
    let version = versionOf(await store.save('alice', { credential: first, expectedVersion: 0 }, signal));
    const versions = new Set([0, version]);
    for (let times = 1; times <= 5; times += 1) {
      const credential = credentialOf({ serial: `serial-${times}`, updatedAtMs: 1_000 - times });
      const from = times % 2 === 0 ? store : reopen();
      version = versionOf(await from.save('alice', { credential, expectedVersion: version }, signal));
      expect(await reopen().find(place, signal)).toEqual({ credential, version });
      versions.add(version);
    }
    expect(versions.size).toBe(7);
  });

  proof.promise('nothing is saved over another version than the newest', async () => {
    const { store, reopen } = await open();
    expect(await store.save('alice', { credential: first, expectedVersion: 7 }, signal)).toEqual(conflict);
    expect(await store.find(place, signal)).toBeNull();
    const old = versionOf(await store.save('alice', { credential: first, expectedVersion: 0 }, signal));
    const version = versionOf(await store.save('alice', { credential: second, expectedVersion: old }, signal));
    for (const expectedVersion of [0, old, version + 1]) {
      expect(await reopen().save('alice', { credential: first, expectedVersion }, signal)).toEqual(conflict);
    }
    expect(await reopen().find(place, signal)).toEqual({ credential: second, version });
  });

  proof.promise('a version of one issuer says nothing of another', async () => {
    const { store } = await open();
    const version = versionOf(await store.save('alice', { credential: first, expectedVersion: 0 }, signal));
    const other = credentialOf({ issuer: 'https://other.example', updatedAtMs: 2_000 });
    expect(await store.save('alice', { credential: other, expectedVersion: version }, signal)).toEqual(conflict);
    expect(await store.save('alice', { credential: other, expectedVersion: 0 }, signal)).toMatchObject({ saved: true });
    expect(await store.save('alice', { credential: second, expectedVersion: version }, signal)).toMatchObject({
      saved: true,
    });
  });

  proof.promise('a credential that was removed is not saved over, also when there is a new one', async () => {
    const { store, reopen } = await open();
    const old = versionOf(await store.save('alice', { credential: first, expectedVersion: 0 }, signal));
    await store.remove(place, signal);
    expect(await store.save('alice', { credential: second, expectedVersion: old }, signal)).toEqual(conflict);
    expect(await store.find(place, signal)).toBeNull();
    const version = versionOf(await reopen().save('alice', { credential: second, expectedVersion: 0 }, signal));
    expect(await store.save('alice', { credential: first, expectedVersion: old }, signal)).toEqual(conflict);
    expect(await store.find(place, signal)).toEqual({ credential: second, version });
  });
}

function describeRaces({ proof, open }: CredentialStoreSubject): void {
  for (const kind of ['a first version', 'one version']) {
    proof.promise(`of several that are saved over ${kind} at once, by two processes, one is kept`, async () => {
      const { store, reopen } = await open();
      const isFirst = kind === 'a first version';
      const expectedVersion = isFirst
        ? 0
        : versionOf(await store.save('alice', { credential: first, expectedVersion: 0 }, signal));
      const other = reopen();
      const from = (index: number): CredentialStore => (index % 2 === 0 ? store : other);
      const credentials = Array.from({ length: 10 }, (_, index) => credentialOf({ serial: `serial-${index}` }));
      const saves = await Promise.all(
        credentials.map((credential, index) => from(index).save('alice', { credential, expectedVersion }, signal)),
      );
      const kept = credentials.filter((_, index) => saves[index]?.saved);
      expect(kept).toHaveLength(1);
      expect(saves.filter(({ saved }) => !saved)).toEqual(Array.from({ length: 9 }, () => conflict));
      expect((await reopen().find(place, signal))?.credential).toEqual(kept[0]);
    });
  }
}
