import { expect } from 'vitest';
import { ownersAlike } from '../stores/owners-alike.ts';
import { idOf, listed, type SessionStoreSubject, sessionOf, signal } from './session-store-harness.ts';

/** Which sessions an owner sees. */
export function describeSessionStoreOwners({ proof, open }: SessionStoreSubject): void {
  const { id } = sessionOf();

  proof.promise('another owner sees nothing: load, list and delete act as if it did not exist', async () => {
    const { store } = await open();
    await store.save(sessionOf(), 0, signal);
    expect(await store.load('bob', id, signal)).toBeNull();
    expect(await store.list('bob', 10, signal)).toEqual([]);
    expect(await store.delete('bob', id, signal)).toEqual({ deleted: false, reason: 'unknown' });
    expect(await store.load('alice', id, signal)).not.toBeNull();
  });

  proof.promise(
    'owners that differ in any character are different owners, and each may have a session of the same id',
    async () => {
      const { store, reopen } = await open();
      const ownOf = (owner: string): ReturnType<typeof sessionOf> => sessionOf({ owner, systemPrompt: `of ${owner}` });
      for (const owner of ownersAlike) {
        expect(await store.save(ownOf(owner), 0, signal)).toMatchObject({ saved: true });
      }
      for (const owner of ownersAlike) {
        expect((await reopen().load(owner, id, signal))?.session).toEqual(ownOf(owner));
        expect(await reopen().list(owner, 100, signal)).toEqual([listed(ownOf(owner))]);
      }
      expect((await reopen().owners(signal)).toSorted()).toEqual(ownersAlike.toSorted());
      expect(await store.delete('alice', id, signal)).toEqual({ deleted: true });
      const left = ownersAlike.filter((owner) => owner !== 'alice');
      expect((await reopen().owners(signal)).toSorted()).toEqual(left.toSorted());
    },
  );

  proof.promise('owners() returns each owner of a session, once', async () => {
    const { store, reopen } = await open();
    expect(await store.owners(signal)).toEqual([]);
    await store.save(sessionOf({ owner: 'bob' }), 0, signal);
    await store.save(sessionOf({ id: idOf('a') }), 0, signal);
    await store.save(sessionOf({ id: idOf('b') }), 0, signal);
    expect((await reopen().owners(signal)).toSorted()).toEqual(['alice', 'bob']);
    await store.delete('bob', id, signal);
    expect(await reopen().owners(signal)).toEqual(['alice']);
  });
}
