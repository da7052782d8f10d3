import { expect } from 'vitest';
import { abortReason } from './abort-reason.ts';
import { byTool, type KeptPinsSubject, key, otherKey, pinOf } from './kept-pins-harness.ts';
import { listenersLeft } from './listeners-left.ts';
import { declaredDamages, declaredHook } from './store-features.ts';

const signal = new AbortController().signal;

/** What becomes of pins that cannot be read or written, and of calls that are aborted. */
export function describeKeptPinsFaults(subject: KeptPinsSubject): void {
  describeDamage(subject);
  describeSignals(subject);
}

function describeDamage({ proof, open, features }: KeptPinsSubject): void {
  for (const { damage, feature } of declaredDamages(features)) {
    proof.promise(`a record that cannot be read (${damage}) is empty, and not one of a server never seen`, async () => {
      const harness = await open();
      const { store, reopen } = harness;
      await store.add(key, [pinOf('look')], signal);
      await store.add(otherKey, [pinOf('see')], signal);
      await declaredHook(harness, 'damage', feature)(key, damage);
      expect(await store.load(key, signal)).toEqual([]);
      expect(await reopen().load(key, signal)).toEqual([]);
      expect(await reopen().load(otherKey, signal)).toEqual([pinOf('see')]);
      expect(await store.add(key, [pinOf('look', 'two')], signal)).toBeNull();
      expect(await reopen().load(key, signal)).toEqual([pinOf('look', 'two')]);
    });
  }

  if (features.failures) {
    proof.promise('add() that fails says why, and leaves the others', async () => {
      const harness = await open();
      const { store, reopen } = harness;
      await store.add(key, [pinOf('look')], signal);
      const mend = await declaredHook(harness, 'breakWriting', 'failures')();
      const [failed, loaded] = await Promise.all([
        store.add(key, [pinOf('see')], signal),
        store.load(key, signal),
      ]).finally(mend);
      expect(failed).toMatch(/\w+ \w+/);
      expect(loaded, 'the pins of a server that was seen').not.toBeNull();
      expect(await reopen().load(key, signal)).toEqual([pinOf('look')]);
      expect(await store.add(key, [pinOf('see')], signal)).toBeNull();
      expect(byTool(await reopen().load(key, signal))).toEqual([pinOf('look'), pinOf('see')]);
    });
  }
}

function describeSignals({ proof, open }: KeptPinsSubject): void {
  proof.promise('load() that is aborted takes no server for one that was never seen', async () => {
    const { store } = await open();
    await store.add(key, [pinOf('look')], signal);
    const came = await store.load(key, AbortSignal.abort(abortReason)).catch(() => []);
    expect([[], [pinOf('look')]]).toContainEqual(came);
  });

  proof.promise('add() that is aborted says whether it has kept the pins', async () => {
    const { store, reopen } = await open();
    await store.add(key, [pinOf('look')], signal);
    const problem = await store.add(key, [pinOf('look', 'two')], AbortSignal.abort(abortReason));
    expect(await reopen().load(key, signal)).toEqual([pinOf('look', problem === null ? 'two' : 'one')]);
  });

  proof.promise('load() and add() leave no listener on their signals', async () => {
    const { store } = await open();
    const [loading, adding] = [new AbortController().signal, new AbortController().signal];
    await store.add(key, [pinOf('look')], adding);
    await store.load(key, loading);
    expect([listenersLeft(loading), listenersLeft(adding)]).toEqual([0, 0]);
  });
}
