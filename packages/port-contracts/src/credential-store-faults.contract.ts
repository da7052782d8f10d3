import { expect } from 'vitest';
import { abortReason } from './abort-reason.ts';
import {
  type CredentialStoreSubject,
  credentialOf,
  place,
  server,
  signal,
  versionOf,
} from './credential-store-harness.ts';
import { listenersLeft } from './listeners-left.ts';
import { declaredDamages, declaredHook } from './store-features.ts';

const credential = credentialOf();
const next = credentialOf({ serial: 'second-serial', updatedAtMs: 2_000 });

/** What becomes of credentials that cannot be read or written, and of calls that are aborted. */
export function describeCredentialFaults(subject: CredentialStoreSubject): void {
  describeDamage(subject);
  describeFailures(subject);
  describeSignals(subject);
}

function describeDamage({ proof, open, features }: CredentialStoreSubject): void {
  for (const { damage, feature } of declaredDamages(features)) {
    proof.promise(`a record that cannot be read (${damage}) is none, and the others stay`, async () => {
      const harness = await open();
      const { store, reopen } = harness;
      const elsewhere = { ...place, server: `${server}/other` };
      const other = credentialOf({ server: elsewhere.server, serial: 'another' });
      await store.save('alice', { credential, expectedVersion: 0 }, signal);
      await store.save('alice', { credential: other, expectedVersion: 0 }, signal);
      await declaredHook(harness, 'damage', feature)(credential, damage);
      expect(await reopen().find(place, signal)).toBeNull();
      expect((await reopen().find(elsewhere, signal))?.credential).toEqual(other);
      expect(await store.save('alice', { credential: next, expectedVersion: 0 }, signal)).toMatchObject({
        saved: true,
      });
      expect((await reopen().find(place, signal))?.credential).toEqual(next);
    });
  }
}

function describeFailures({ proof, open, features }: CredentialStoreSubject): void {
  if (!features.failures) {
    return;
  }
  proof.promise('save() that fails says why, and leaves what was there', async () => {
    const harness = await open();
    const { store, reopen } = harness;
    const version = versionOf(await store.save('alice', { credential, expectedVersion: 0 }, signal));
    const mend = await declaredHook(harness, 'breakWriting', 'failures')();
    const failed = await store.save('alice', { credential: next, expectedVersion: version }, signal).finally(mend);
    expect(failed).toEqual({ saved: false, reason: 'unavailable', detail: expect.stringMatching(/\w+ \w+/) });
    expect(await reopen().find(place, signal)).toEqual({ credential, version });
  });

  proof.promise(
    'prepare() finds nothing wrong where something can be kept, and says why where nothing can',
    async () => {
      const harness = await open();
      const { store } = harness;
      expect(await store.prepare()).toBeNull();
      await store.save('alice', { credential, expectedVersion: 0 }, signal);
      expect(await store.prepare()).toBeNull();
      const mend = await declaredHook(harness, 'breakWriting', 'failures')();
      expect(await store.prepare().finally(mend)).toMatch(/^[A-Z].*\w+ \w+.*\.$/s);
      expect(await store.prepare()).toBeNull();
    },
  );

  proof.promise('find() takes no credential for one that is not there, where it cannot look', async () => {
    const harness = await open();
    const { store } = harness;
    const version = versionOf(await store.save('alice', { credential, expectedVersion: 0 }, signal));
    const mend = await declaredHook(harness, 'breakWriting', 'failures')();
    const came = await store
      .find(place, signal)
      .catch((error: unknown) => (error instanceof Error ? error.message : error))
      .finally(mend);
    expect([{ credential, version }, expect.stringMatching(/\w+ \w+/)]).toContainEqual(came);
  });

  proof.promise('remove() that fails says why, and is no removal', async () => {
    const harness = await open();
    const { store, reopen } = harness;
    const version = versionOf(await store.save('alice', { credential, expectedVersion: 0 }, signal));
    const mend = await declaredHook(harness, 'breakWriting', 'failures')();
    const failed = await store.remove(place, signal).finally(mend);
    expect(failed).toMatch(/\w+ \w+/);
    expect(await reopen().find(place, signal)).toEqual({ credential, version });
  });
}

function describeSignals({ proof, open }: CredentialStoreSubject): void {
  const aborted = AbortSignal.abort(abortReason);
  const caught = (reason: unknown): unknown => reason;

  proof.promise('find() that is aborted has the credential, or rejects with the reason', async () => {
    const { store } = await open();
    const version = versionOf(await store.save('alice', { credential, expectedVersion: 0 }, signal));
    expect([abortReason, { credential, version }]).toContainEqual(await store.find(place, aborted).catch(caught));
  });

  proof.promise(
    'save() that is aborted says whether it has saved, or rejects with the reason and has not',
    async () => {
      const { store, reopen } = await open();
      const version = versionOf(await store.save('alice', { credential, expectedVersion: 0 }, signal));
      const came = await store.save('alice', { credential: next, expectedVersion: version }, aborted).catch(caught);
      const found = await reopen().find(place, signal);
      const isSaved = found?.version !== version;
      expect(came).toEqual(isSaved ? { saved: true, version: found?.version } : abortReason);
      expect(found?.credential).toEqual(isSaved ? next : credential);
    },
  );

  proof.promise(
    'remove() that is aborted says whether it has removed, or rejects with the reason and has not',
    async () => {
      const { store, reopen } = await open();
      await store.save('alice', { credential, expectedVersion: 0 }, signal);
      const came = await store.remove(place, aborted).catch(caught);
      const isGone = (await reopen().find(place, signal)) === null;
      expect(came).toEqual(isGone ? null : abortReason);
    },
  );

  proof.promise('find(), save() and remove() leave no listener on their signals', async () => {
    const { store } = await open();
    const own = [new AbortController().signal, new AbortController().signal, new AbortController().signal] as const;
    await store.save('alice', { credential, expectedVersion: 0 }, own[0]);
    await store.find(place, own[1]);
    await store.remove(place, own[2]);
    expect(own.map(listenersLeft)).toEqual([0, 0, 0]);
  });
}
