import { expect } from 'vitest';
import { declaredDamages, declaredHook } from '../stores/store-features.ts';
import { idOf, listed, type SessionStoreSubject, sessionOf, signal } from './session-store-harness.ts';

/** Sessions whose record the store cannot read, and the sessions next to them. */
export function describeSessionStoreDamage({ proof, open, features }: SessionStoreSubject): void {
  for (const { damage, feature } of declaredDamages(features)) {
    proof.promise(`an unreadable record (${damage}) is an unknown session, and the others stay`, async () => {
      const harness = await open();
      const { store, reopen } = harness;
      const others = [sessionOf({ id: idOf('a'), updatedAtMs: 500 }), sessionOf({ id: idOf('b'), owner: 'bob' })];
      for (const session of [sessionOf(), ...others]) {
        await store.save(session, 0, signal);
      }
      proof.note(`the harness damages the record of ${sessionOf().id}: ${damage}`);
      await declaredHook(harness, 'damage', feature)(sessionOf(), damage);
      expect(await reopen().list('alice', 10, signal)).toEqual(others.slice(0, 1).map(listed));
      expect(await reopen().load('alice', sessionOf().id, signal)).toBeNull();
      for (const other of others) {
        expect((await reopen().load(other.owner, other.id, signal))?.session).toEqual(other);
      }
      expect((await reopen().owners(signal)).toSorted()).toEqual(['alice', 'bob']);
    });
  }
}
