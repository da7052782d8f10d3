import type { RecordStore } from '@gemini-mcp/core';
import { expect } from 'vitest';
import { abortReason } from '../abort-reason.ts';
import { listenersLeft } from '../listeners-left.ts';
import { declaredDamages, declaredHook } from '../stores/store-features.ts';
import { keysOf, notes, type RecordStoreSubject, recordOf, signal, versionOf } from './record-store-harness.ts';

/** Unreadable and unwritable records, and aborted calls. */
export function describeRecordStoreFaults(subject: RecordStoreSubject): void {
  describeDamage(subject);
  describeFailures(subject);
  describeSignals(subject);
}

function describeDamage({ proof, open, features }: RecordStoreSubject): void {
  for (const { damage, feature } of declaredDamages(features)) {
    proof.promise(`an unreadable record (${damage}) is damaged until it is put again`, async () => {
      const harness = await open();
      const { store, reopen } = harness;
      const others = [recordOf({ key: 'other', stampMs: 1 }), recordOf({ owner: 'bob', key: 'his' })];
      for (const record of [recordOf({ stampMs: 5 }), ...others]) {
        await store.put(record, signal);
      }
      const held = versionOf(await store.get(recordOf(), signal));
      await declaredHook(harness, 'damage', feature)(recordOf(), damage);
      proof.note(`the harness damages the record ${recordOf().key}: ${damage}`);
      expect(await reopen().get(recordOf(), signal)).toBe('damaged');
      expect([await reopen().get(recordOf(), signal), await store.get(recordOf(), signal)]).toEqual([
        'damaged',
        'damaged',
      ]);
      expect([await keysOf(reopen()), await keysOf(reopen(), 'bob')]).toEqual(['other', 'his']);
      expect(await reopen().owners(notes, signal)).toHaveLength(2);
      for (const other of others) {
        expect(await reopen().get(other, signal)).toMatchObject({ text: other.text });
      }
      const again = versionOf(await store.put(recordOf({ text: 'again' }), signal));
      expect([-1, held]).not.toContain(again);
      expect(await reopen().get(recordOf(), signal)).toMatchObject({ text: 'again', version: again });
    });

    proof.promise(`an unreadable record (${damage}) is not listed, even before the first get()`, async () => {
      const harness = await open();
      await harness.store.put(recordOf(), signal);
      await harness.store.put(recordOf({ key: 'other' }), signal);
      await declaredHook(harness, 'damage', feature)(recordOf(), damage);
      expect(await keysOf(harness.reopen())).toBe('other');
      expect(await harness.reopen().put(recordOf(), signal)).toMatchObject({ saved: true });
    });
  }
}

function describeFailures({ proof, open, features }: RecordStoreSubject): void {
  if (!features.failures) {
    return;
  }
  proof.promise('a failed put() or delete() returns the reason and changes nothing', async () => {
    const harness = await open();
    const { store, reopen } = harness;
    const version = versionOf(await store.put(recordOf(), signal));
    const mend = await declaredHook(harness, 'breakWriting', 'failures')();
    proof.note('the harness breaks writing');
    const failed = await Promise.all([
      store.put(recordOf({ expectedVersion: version, text: 'second' }), signal),
      store.put(recordOf({ key: 'new' }), signal),
      store.delete(recordOf(), signal),
    ]).finally(mend);
    const why = { reason: 'unavailable', detail: expect.stringMatching(/\w+ \w+/) };
    expect(failed).toEqual([
      { saved: false, ...why },
      { saved: false, ...why },
      { deleted: false, ...why },
    ]);
    for (const place of [store, reopen()]) {
      expect(await place.get(recordOf(), signal)).toMatchObject({ version, text: recordOf().text });
      expect(await keysOf(place)).toBe('first');
    }
    expect(await store.put(recordOf({ expectedVersion: version }), signal)).toMatchObject({ saved: true });
  });

  proof.promise('no record counts as missing if the store cannot read the place', async () => {
    const harness = await open();
    const { store } = harness;
    const version = versionOf(await store.put(recordOf(), signal));
    const mend = await declaredHook(harness, 'breakWriting', 'failures')();
    const words = (error: unknown): unknown =>
      error instanceof Error && /\w+ \w+/.test(error.message) ? 'words' : error;
    const [found, keys, owners] = await Promise.all([
      store.get(recordOf(), signal).then(versionOf, words),
      keysOf(store).catch(words),
      store.owners(notes, signal).catch(words),
    ]).finally(mend);
    expect([version, 'words']).toContain(found);
    expect(['first', 'words']).toContain(keys);
    expect([['alice'], 'words']).toContainEqual(owners);
  });
}

type Call = (store: RecordStore, version: number, signal: AbortSignal) => Promise<unknown>;

const calls: Readonly<Record<keyof RecordStore, Call>> = {
  get: (store, _, own) => store.get(recordOf(), own),
  put: (store, expectedVersion, own) => store.put(recordOf({ expectedVersion, text: 'second' }), own),
  list: (store, _, own) => store.list({ kind: notes, owner: 'alice' }, 10, own),
  delete: (store, _, own) => store.delete(recordOf(), own),
  owners: (store, _, own) => store.owners(notes, own),
  // Of a record that does not change.
  watch: (store, _, own) => store.watch(recordOf({ key: 'other' }), 0, own),
};

function describeSignals({ proof, open }: RecordStoreSubject): void {
  for (const [name, call] of Object.entries(calls)) {
    proof.promise(`${name}() rejects with the reason of an aborted signal, and changes nothing`, async () => {
      const { store, reopen } = await open();
      const version = versionOf(await store.put(recordOf(), signal));
      await expect(call(store, version, AbortSignal.abort(abortReason))).rejects.toBe(abortReason);
      expect(await reopen().get(recordOf(), signal)).toMatchObject({ version, text: recordOf().text });
    });
  }

  proof.promise('put() that is aborted during the work rejects with the reason, or has put the record', async () => {
    const { store, reopen } = await open();
    const version = versionOf(await store.put(recordOf(), signal));
    const controller = new AbortController();
    const putting = store.put(recordOf({ expectedVersion: version, text: 'second' }), controller.signal);
    controller.abort(abortReason);
    const came = await putting.catch((reason: unknown) => reason);
    const found = await reopen().get(recordOf(), signal);
    expect(came).toEqual(versionOf(found) === version ? abortReason : { saved: true, version: versionOf(found) });
  });

  proof.promise('watch() ends with the signal, and leaves no listener on it', async () => {
    const { store } = await open();
    const controller = new AbortController();
    const watching = store.watch(recordOf(), 0, controller.signal);
    controller.abort(abortReason);
    await expect(watching).rejects.toBe(abortReason);
    expect(listenersLeft(controller.signal)).toBe(0);
  });

  proof.promise('no method leaves a listener on its signal', async () => {
    const { store } = await open();
    const version = versionOf(await store.put(recordOf(), signal));
    const left: Record<string, number> = {};
    for (const name of ['get', 'put', 'list', 'owners', 'delete'] as const) {
      const own = new AbortController().signal;
      await calls[name](store, version, own);
      left[name] = listenersLeft(own);
    }
    expect(left).toEqual({ get: 0, put: 0, list: 0, owners: 0, delete: 0 });
  });
}
