import { expect } from 'vitest';
import { abortReason } from './abort-reason.ts';
import { type KeptListsSubject, key, listsOf, otherKey } from './kept-lists-harness.ts';
import { listenersLeft } from './listeners-left.ts';
import { declaredDamages, declaredHook } from './store-features.ts';

const signal = new AbortController().signal;
const before = listsOf(['look']);
const after = listsOf(['see']);

/** What becomes of lists that cannot be read or written, and of calls that are aborted. */
export function describeKeptListsFaults(subject: KeptListsSubject): void {
  describeDamage(subject);
  describeSignals(subject);
}

function describeDamage({ proof, open, features }: KeptListsSubject): void {
  for (const { damage, feature } of declaredDamages(features)) {
    proof.promise(`a record that cannot be read (${damage}) is none until it is saved again`, async () => {
      const harness = await open();
      const { store, reopen } = harness;
      await store.save(key, before, signal);
      await store.save(otherKey, before, signal);
      await declaredHook(harness, 'damage', feature)(key, damage);
      expect(await store.load(key, signal)).toBeNull();
      expect(await reopen().load(key, signal)).toBeNull();
      expect(await reopen().load(otherKey, signal)).toEqual(before);
      await store.save(key, after, signal);
      expect(await reopen().load(key, signal)).toEqual(after);
    });
  }

  if (features.failures) {
    proof.promise('what cannot be saved is no fault, and the others stay', async () => {
      const harness = await open();
      const { store, reopen } = harness;
      await store.save(otherKey, before, signal);
      const mend = await declaredHook(harness, 'breakWriting', 'failures')();
      const came = await Promise.allSettled([store.save(key, after, signal), store.load(key, signal)]).finally(mend);
      expect(came).toEqual([
        { status: 'fulfilled', value: undefined },
        { status: 'fulfilled', value: null },
      ]);
      expect(await reopen().load(otherKey, signal)).toEqual(before);
      await store.save(key, after, signal);
      expect(await reopen().load(key, signal)).toEqual(after);
    });
  }
}

function describeSignals({ proof, open }: KeptListsSubject): void {
  proof.promise('load() that is aborted does not reject, and has nothing or what was saved', async () => {
    const { store, reopen } = await open();
    await store.save(key, before, signal);
    expect([null, before]).toContainEqual(await store.load(key, AbortSignal.abort(abortReason)));
    expect(await store.load(otherKey, AbortSignal.abort(abortReason))).toBeNull();
    expect(await reopen().load(key, signal)).toEqual(before);
  });

  proof.promise('save() that is aborted does not reject, and leaves what was there or what is new', async () => {
    const { store, reopen } = await open();
    await store.save(key, before, signal);
    await store.save(key, after, AbortSignal.abort(abortReason));
    expect([before, after]).toContainEqual(await reopen().load(key, signal));
  });

  proof.promise('load() and save() leave no listener on their signals', async () => {
    const { store } = await open();
    const [loading, saving] = [new AbortController().signal, new AbortController().signal];
    await store.save(key, before, saving);
    await store.load(key, loading);
    expect([listenersLeft(loading), listenersLeft(saving)]).toEqual([0, 0]);
  });
}
