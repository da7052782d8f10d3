import type { RecordKind } from '@gemini-mcp/core';
import { expect } from 'vitest';
import { keysOf, notes, type RecordStoreSubject, recordOf, signal, sized, versionOf } from './record-store-harness.ts';

/** Room for some hundred bytes more a record than its text has. */
const small: RecordKind = {
  ...notes,
  name: 'small-notes',
  maxBytesOfRecord: 30_000,
  maxRecordsOfOwner: 4,
  maxBytesOfOwner: 50_000,
  maxBytes: 100_000,
};

/** How much is kept, and for how long. */
export function describeRecordStoreBounds(subject: RecordStoreSubject): void {
  describeRemoving(subject);
  describeRefusing(subject);
  describeExpiry(subject);
}

function describeRemoving({ proof, open }: RecordStoreSubject): void {
  const kind = small;

  proof.promise(
    "SHARE-05: a new record removes the owner's oldest records by their stamps, and no other owner's",
    async () => {
      const { store, reopen } = await open();
      await store.put(sized('a', 10, { kind, owner: 'bob', stampMs: 0 }), signal);
      for (const [index, key] of ['a', 'c', 'b', 'd', 'e', 'f'].entries()) {
        await store.put(sized(key, 10, { kind, stampMs: key === 'c' ? 100 : index }), signal);
      }
      expect(await keysOf(reopen(), 'alice', kind)).toBe('c f e d');
      expect(await keysOf(reopen(), 'bob', kind)).toBe('a');
      expect(await store.get(sized('a', 10, { kind }), signal)).toBeNull();
    },
  );

  proof.promise('SHARE-05: only so many bytes of an owner are kept', async () => {
    const { store, reopen } = await open();
    await store.put(sized('a', 20_000, { kind, owner: 'bob', stampMs: 0 }), signal);
    for (const [stampMs, key] of ['a', 'b', 'c'].entries()) {
      await store.put(sized(key, 20_000, { kind, stampMs }), signal);
    }
    expect([await keysOf(reopen(), 'alice', kind), await keysOf(reopen(), 'bob', kind)]).toEqual(['c b', 'a']);
  });

  proof.promise('a record that was just put stays, however old its stamp is', async () => {
    const { store, reopen } = await open();
    await store.put(sized('a', 20_000, { kind, stampMs: 10 }), signal);
    await store.put(sized('b', 20_000, { kind, stampMs: 11 }), signal);
    await store.put(sized('c', 20_000, { kind, stampMs: 1 }), signal);
    expect(await keysOf(reopen(), 'alice', kind)).toBe('b c');
  });

  proof.promise(
    'SHARE-05: if all owners hold too much, the oldest records of the largest owner are removed',
    async () => {
      const { store, reopen } = await open();
      const put = (owner: string, key: string, bytes: number, stampMs: number) =>
        store.put(sized(key, bytes, { kind, owner, stampMs }), signal);
      await put('bob', 'a', 10_000, 1);
      await put('carol', 'a', 20_000, 2);
      await put('carol', 'b', 22_000, 3);
      await put('dave', 'a', 20_000, 4);
      await put('dave', 'b', 20_000, 5);
      await put('eve', 'a', 22_000, 6);
      const owners = ['bob', 'carol', 'dave', 'eve'];
      expect(await Promise.all(owners.map((owner) => keysOf(reopen(), owner, kind)))).toEqual(['a', 'b', 'b a', 'a']);
    },
  );

  proof.promise('SHARE-05: records from before the store was opened count', async () => {
    const { store, reopen } = await open();
    await store.put(sized('a', 20_000, { kind, stampMs: 1 }), signal);
    await store.put(sized('b', 20_000, { kind, stampMs: 2 }), signal);
    await reopen().put(sized('c', 20_000, { kind, stampMs: 3 }), signal);
    expect(await keysOf(reopen(), 'alice', kind)).toBe('c b');
  });

  proof.promise('deleting a record, or replacing it with a smaller one, makes room', async () => {
    const { store, reopen } = await open();
    await store.put(sized('a', 20_000, { kind, stampMs: 1 }), signal);
    const expectedVersion = versionOf(await store.put(sized('b', 20_000, { kind, stampMs: 2 }), signal));
    await store.delete(sized('a', 0, { kind }), signal);
    await store.put(sized('b', 0, { kind, stampMs: 5, expectedVersion }), signal);
    await store.put(sized('c', 20_000, { kind, stampMs: 6 }), signal);
    await store.put(sized('d', 20_000, { kind, stampMs: 7 }), signal);
    expect(await keysOf(reopen(), 'alice', kind)).toBe('d c b');
  });

  proof.promise('the bounds of one kind do not affect another', async () => {
    const { store } = await open();
    await store.put(sized('a', 20_000, { kind, stampMs: 1 }), signal);
    await store.put(sized('b', 20_000, { kind, stampMs: 2 }), signal);
    await store.put(sized('c', 20_000, { kind: { ...kind, name: 'more-notes' } }), signal);
    expect(await keysOf(store, 'alice', kind)).toBe('b a');
  });
}

function describeRefusing({ proof, open }: RecordStoreSubject): void {
  const refused = { saved: false, reason: 'unavailable', detail: expect.stringMatching(/\w+ \w+/) };

  proof.promise('a record of exactly the largest size is kept, and one byte more is refused', async () => {
    const { store, reopen } = await open();
    const kind = { ...small, maxBytesOfRecord: 1_000 };
    const text = 'é'.repeat(490);
    const version = versionOf(await store.put(recordOf({ kind, text, summary: '20 bytes of summary.' }), signal));
    const larger = recordOf({ kind, text, summary: '21 bytes of summary..', expectedVersion: version });
    expect(await store.put(larger, signal)).toEqual(refused);
    expect(await reopen().get(larger, signal)).toMatchObject({ version, text });
    expect(await store.put({ ...larger, key: 'new', expectedVersion: 0 }, signal)).toEqual(refused);
    expect(await keysOf(store, 'alice', kind)).toBe('first');
  });

  proof.promise('a summary of 16 KiB is kept and listed, and a larger one is refused', async () => {
    const { store } = await open();
    const summary = '\u0000'.repeat(16_384);
    expect(await store.put(recordOf({ summary }), signal)).toMatchObject({ saved: true });
    expect((await store.list({ kind: notes, owner: 'alice' }, 1, signal))[0]?.summary).toBe(summary);
    expect(await store.put(recordOf({ key: 'new', summary: `${summary}x` }), signal)).toEqual(refused);
  });

  proof.promise('a kind that refuses when full removes nothing, and accepts changes and records that fit', async () => {
    const { store, reopen } = await open();
    const kind: RecordKind = { ...small, whenFull: 'refuse' };
    for (const [stampMs, key] of ['a', 'b', 'c', 'd'].entries()) {
      expect(await store.put(sized(key, 10, { kind, stampMs }), signal)).toMatchObject({ saved: true });
    }
    expect(await reopen().put(sized('e', 10, { kind }), signal)).toEqual(refused);
    const version = versionOf(await store.get(sized('a', 0, { kind }), signal));
    expect(await store.put(sized('a', 20, { kind, stampMs: 9, expectedVersion: version }), signal)).toMatchObject({
      saved: true,
    });
    expect(await store.put(sized('a', 10, { kind, owner: 'bob' }), signal)).toMatchObject({ saved: true });
    await store.delete(sized('b', 0, { kind }), signal);
    expect(await store.put(sized('e', 28_000, { kind, stampMs: 10 }), signal)).toMatchObject({ saved: true });
    await store.delete(sized('c', 0, { kind }), signal);
    expect(await store.put(sized('f', 28_000, { kind }), signal)).toEqual(refused);
    expect(await keysOf(reopen(), 'alice', kind)).toBe('e a d');
  });
}

function describeExpiry({ proof, open }: RecordStoreSubject): void {
  proof.promise('an expired record is unknown to every method at once, and can be created again', async () => {
    const { store, reopen, clock } = await open();
    const kind: RecordKind = { ...notes, name: 'short-notes', maxAgeMs: 1_000 };
    const nowMs = clock.now();
    const old = recordOf({ kind, stampMs: nowMs });
    const version = versionOf(await store.put(old, signal));
    await store.put(recordOf({ kind, owner: 'bob', stampMs: nowMs + 1 }), signal);
    await clock.advance(999);
    expect(versionOf(await store.get(old, signal))).toBe(version);
    await clock.advance(1);
    for (const place of [store, reopen()]) {
      expect(await place.get(old, signal)).toBeNull();
      expect(await keysOf(place, 'alice', kind)).toBe('');
      expect(await place.owners(kind, signal)).toEqual(['bob']);
      expect(await place.delete(old, signal)).toEqual({ deleted: false, reason: 'unknown' });
      expect(await place.put({ ...old, expectedVersion: version }, signal)).toMatchObject({ saved: false });
    }
    const again = versionOf(await store.put({ ...old, stampMs: clock.now() }, signal));
    expect([-1, 0, version]).not.toContain(again);
    expect(versionOf(await reopen().get(old, signal))).toBe(again);
  });

  proof.promise('reading a record does not extend its life', async () => {
    const { store, clock } = await open();
    const kind: RecordKind = { ...notes, name: 'short-notes', maxAgeMs: 1_000 };
    const record = recordOf({ kind, stampMs: clock.now() });
    await store.put(record, signal);
    await clock.advance(500);
    await store.get(record, signal);
    await keysOf(store, 'alice', kind);
    await clock.advance(501);
    expect(await store.get(record, signal)).toBeNull();
  });
}
