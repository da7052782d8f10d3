import { expect } from 'vitest';
import { keysOf, type RecordStoreSubject, recordOf, signal, versionOf } from './record-store-harness.ts';

const conflict = { saved: false, reason: 'conflict' };

/** Tests which puts succeed, what a deletion leaves, and when a watch ends. */
export function describeRecordStoreVersions(subject: RecordStoreSubject): void {
  describePutting(subject);
  describeDeleting(subject);
  describeWatching(subject);
}

function describePutting({ proof, open }: RecordStoreSubject): void {
  proof.promise('put() at the newest version replaces; at any other it conflicts and changes nothing', async () => {
    const { store, reopen } = await open();
    expect(await store.put(recordOf({ expectedVersion: 7 }), signal)).toEqual(conflict);
    expect(await store.get(recordOf(), signal)).toBeNull();
    const first = versionOf(await store.put(recordOf(), signal));
    const second = versionOf(await store.put(recordOf({ expectedVersion: first, text: 'second' }), signal));
    for (const expectedVersion of [0, first, second + 1, second + 1_000_000]) {
      expect(await reopen().put(recordOf({ expectedVersion, text: 'third' }), signal)).toEqual(conflict);
    }
    expect(await reopen().get(recordOf(), signal)).toMatchObject({ version: second, text: 'second' });
  });

  proof.promise('each put returns a new version, never 0', async () => {
    const { store } = await open();
    const versions = [0];
    for (let round = 0; round < 6; round += 1) {
      versions.push(versionOf(await store.put(recordOf({ expectedVersion: versions.at(-1) ?? 0 }), signal)));
      expect(versionOf(await store.get(recordOf(), signal))).toBe(versions.at(-1));
    }
    expect(versions).toEqual([...new Set(versions)]);
    expect(versions).not.toContain(-1);
  });

  proof.promise('of concurrent puts at one version, from two places, exactly one succeeds and is read', async () => {
    const { store, reopen } = await open();
    const places = [store, reopen(), store, reopen()];
    let expectedVersion = 0;
    for (let round = 1; round <= 10; round += 1) {
      const results = await Promise.all(
        places.map((place, index) => place.put(recordOf({ expectedVersion, text: `${round} ${index}` }), signal)),
      );
      const taken = results.findIndex(({ saved }) => saved);
      expect(results.filter(({ saved }) => !saved)).toEqual([conflict, conflict, conflict]);
      expectedVersion = versionOf(results[taken] ?? null);
      expect(await reopen().get(recordOf(), signal)).toMatchObject({
        version: expectedVersion,
        text: `${round} ${taken}`,
      });
    }
  });

  proof.promise('concurrent readers see whole records, never an older one than before', async () => {
    const { store, reopen } = await open();
    const reader = reopen();
    let expectedVersion = 0;
    let seen = 0;
    for (let round = 1; round <= 20; round += 1) {
      const text = `${round} `.repeat(round * 500);
      const [saved, found] = await Promise.all([
        store.put(recordOf({ expectedVersion, text, summary: `${round}` }), signal),
        reader.get(recordOf(), signal),
      ]);
      expectedVersion = versionOf(saved);
      const { summary, text: read } = found === null || found === 'damaged' ? { summary: '0', text: '' } : found;
      expect(read === `${summary} `.repeat(Number(summary) * 500), `the record of round ${summary}`).toBe(true);
      expect(Number(summary)).toBeGreaterThanOrEqual(seen);
      seen = Number(summary);
    }
    expect(seen).toBeGreaterThan(0);
  });
}

function describeDeleting({ proof, open }: RecordStoreSubject): void {
  proof.promise('delete() returns whether a record existed, and then no place has it', async () => {
    const { store, reopen } = await open();
    await store.put(recordOf(), signal);
    await store.put(recordOf({ key: 'other' }), signal);
    expect(await store.delete(recordOf(), signal)).toEqual({ deleted: true });
    expect(await reopen().delete(recordOf(), signal)).toEqual({ deleted: false, reason: 'unknown' });
    for (const place of [store, reopen()]) {
      expect(await place.get(recordOf(), signal)).toBeNull();
      expect(await keysOf(place)).toBe('other');
    }
  });

  proof.promise('exactly one of several concurrent deletions finds the record', async () => {
    const { store, reopen } = await open();
    await store.put(recordOf(), signal);
    const places = [store, reopen(), store, reopen()];
    const results = await Promise.all(places.map((place) => place.delete(recordOf(), signal)));
    expect(results.filter(({ deleted }) => deleted)).toHaveLength(1);
  });

  proof.promise('a version from before a deletion conflicts, also once the record was created again', async () => {
    const { store, reopen } = await open();
    const held = [versionOf(await store.put(recordOf(), signal))];
    held.push(versionOf(await store.put(recordOf({ expectedVersion: held[0] ?? -1 }), signal)));
    await reopen().delete(recordOf(), signal);
    for (const expectedVersion of held) {
      expect(await store.put(recordOf({ expectedVersion }), signal)).toEqual(conflict);
    }
    expect(await store.get(recordOf(), signal)).toBeNull();
    const created = versionOf(await reopen().put(recordOf({ text: 'again' }), signal));
    const saved = versionOf(await reopen().put(recordOf({ text: 'again', expectedVersion: created }), signal));
    for (const expectedVersion of held) {
      expect(await store.put(recordOf({ expectedVersion }), signal)).toEqual(conflict);
    }
    expect(await store.get(recordOf(), signal)).toMatchObject({ text: 'again', version: saved });
  });

  proof.promise('of a concurrent put and deletion, the deletion comes last or the put conflicts', async () => {
    const { store, reopen } = await open();
    const other = reopen();
    for (let round = 1; round <= 10; round += 1) {
      const expectedVersion = versionOf(await store.put(recordOf(), signal));
      const [saved, deleted] = await Promise.all([
        store.put(recordOf({ expectedVersion, text: 'second' }), signal),
        other.delete(recordOf(), signal),
      ]);
      expect(deleted).toEqual({ deleted: true });
      expect([true, 'conflict']).toContain(saved.saved || saved.reason);
      expect(await reopen().get(recordOf(), signal)).toBeNull();
    }
  });
}

function describeWatching({ proof, open }: RecordStoreSubject): void {
  proof.promise('watch() resolves at once if a newer version exists already', async () => {
    const { store } = await open();
    await store.watch(recordOf(), 7, signal);
    const version = versionOf(await store.put(recordOf(), signal));
    await store.watch(recordOf(), 0, signal);
    await store.watch(recordOf(), version + 1, signal);
  });

  proof.promise('watch() resolves within a second after a change in any place, and for no other reason', async () => {
    const { store, reopen, clock } = await open();
    let expectedVersion = 0;
    const changes = [
      async () => {
        expectedVersion = versionOf(await reopen().put(recordOf(), signal));
      },
      async () => {
        expectedVersion = versionOf(await store.put(recordOf({ expectedVersion }), signal));
      },
      () => reopen().delete(recordOf(), signal),
    ];
    for (const change of changes) {
      let isOver = false;
      const watching = store.watch(recordOf(), expectedVersion, signal).then(() => {
        isOver = true;
      });
      await store.put(recordOf({ key: `other-${expectedVersion}` }), signal);
      await store.put(recordOf({ owner: `bob-${expectedVersion}` }), signal);
      await clock.advance(1_000);
      expect(isOver).toBe(false);
      await change();
      await clock.advance(1_000);
      await watching;
    }
  });
}
