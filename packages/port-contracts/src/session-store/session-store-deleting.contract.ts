import { expect } from 'vitest';
import { declaredHook } from '../stores/store-features.ts';
import { idOf, listed, type SessionStoreSubject, sessionOf, signal, versionOf } from './session-store-harness.ts';

const { id } = sessionOf();

/** Deleted sessions, and clients that still hold them. */
export function describeSessionStoreDeleting({ proof, open, features }: SessionStoreSubject): void {
  proof.promise('delete() returns whether a session existed, and then no place has it', async () => {
    const { store, reopen } = await open();
    await store.save(sessionOf(), 0, signal);
    await store.save(sessionOf({ id: idOf('a') }), 0, signal);
    expect(await store.delete('alice', id, signal)).toEqual({ deleted: true });
    expect(await store.delete('alice', id, signal)).toEqual({ deleted: false, reason: 'unknown' });
    for (const place of [store, reopen()]) {
      expect(await place.load('alice', id, signal)).toBeNull();
      expect(await place.list('alice', 10, signal)).toEqual([listed(sessionOf({ id: idOf('a') }))]);
    }
  });

  proof.promise('exactly one of several concurrent deletions finds the session', async () => {
    const { store, reopen } = await open();
    await store.save(sessionOf(), 0, signal);
    const places = [store, reopen(), store, reopen()];
    const results = await Promise.all(places.map((place) => place.delete('alice', id, signal)));
    expect(results.filter(({ deleted }) => deleted)).toHaveLength(1);
  });

  proof.promise('save() conflicts on a deleted session, and does not restore it', async () => {
    const { store, reopen } = await open();
    await store.save(sessionOf(), 0, signal);
    const loaded = await store.load('alice', id, signal);
    await reopen().delete('alice', id, signal);
    expect(await store.save(sessionOf(), versionOf(loaded), signal)).toEqual({ saved: false, reason: 'conflict' });
    expect(await store.load('alice', id, signal)).toBeNull();
    expect(await store.list('alice', 10, signal)).toEqual([]);
  });

  proof.promise(
    'save() at a version from before a deletion conflicts also once the session was created again',
    async () => {
      const { store, reopen } = await open();
      const held = [versionOf(await store.save(sessionOf(), 0, signal))];
      held.push(versionOf(await store.save(sessionOf({ updatedAtMs: 2_000 }), held[0] ?? -1, signal)));
      await reopen().delete('alice', id, signal);
      const again = sessionOf({ updatedAtMs: 3_000 });
      const created = versionOf(await reopen().save(again, 0, signal));
      const saved = versionOf(await reopen().save(again, created, signal));
      expect([created, saved]).not.toContain(-1);
      for (const version of held) {
        expect(await store.save(sessionOf(), version, signal)).toEqual({ saved: false, reason: 'conflict' });
      }
      expect(await store.load('alice', id, signal)).toEqual({ session: again, version: saved });
    },
  );

  proof.promise('of a concurrent save and deletion, the deletion comes last or the save conflicts', async () => {
    const { store, reopen } = await open();
    const other = reopen();
    for (let round = 1; round <= 10; round += 1) {
      const version = versionOf(await store.save(sessionOf(), 0, signal));
      const [saved, deleted] = await Promise.all([
        store.save(sessionOf({ updatedAtMs: 2_000 }), version, signal),
        other.delete('alice', id, signal),
      ]);
      expect(deleted).toEqual({ deleted: true });
      expect([true, 'conflict']).toContain(saved.saved || saved.reason);
      expect(await reopen().load('alice', id, signal)).toBeNull();
    }
  });

  if (!features.failures) {
    return;
  }

  proof.promise('a failed delete() returns the reason and leaves the session', async () => {
    const harness = await open();
    const { store, reopen } = harness;
    await store.save(sessionOf(), 0, signal);
    const loaded = await store.load('alice', id, signal);
    const mend = await declaredHook(harness, 'breakWriting', 'failures')();
    proof.note('the harness breaks writing');
    const failed = await store.delete('alice', id, signal).finally(mend);
    expect(failed).toEqual({ deleted: false, reason: 'unavailable', detail: expect.stringMatching(/\S/) });
    expect(await reopen().load('alice', id, signal)).toEqual(loaded);
    expect(await reopen().delete('alice', id, signal)).toEqual({ deleted: true });
  });
}
