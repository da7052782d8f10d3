import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect } from 'vitest';
import { hostileText } from '../hostile-text.ts';
import { showValue } from '../show-value.ts';
import { ownersAlike } from '../stores/owners-alike.ts';
import type { StoreFeatures } from '../stores/store-features.ts';
import { watchStores } from '../stores/watch-stores.ts';
import { describeRecordStoreBounds } from './record-store-bounds.contract.ts';
import { describeRecordStoreFaults } from './record-store-faults.contract.ts';
import {
  type CreateRecordStore,
  keysOf,
  notes,
  type RecordStoreHarness,
  type RecordStoreSubject,
  recordOf,
  signal,
  versionOf,
} from './record-store-harness.ts';
import { describeRecordStoreVersions } from './record-store-versions.contract.ts';

export type RecordStoreContractOptions = {
  readonly name: string;
  readonly features: StoreFeatures;
  readonly create: CreateRecordStore;
  /** As in `ProofOptions`. */
  readonly deadlineMs?: number;
};

/** The promises of every `RecordStore`. */
export function describeRecordStoreContract({ name, features, create, deadlineMs }: RecordStoreContractOptions): void {
  describe(`RecordStore contract: ${name}`, () => {
    const { proof, hold } = watchStores({ port: 'RecordStore', name, deadlineMs });
    const open = async (): Promise<RecordStoreHarness & { readonly clock: FakeClock }> => {
      const clock = new FakeClock();
      return { ...hold(await create(clock)), clock };
    };
    const subject = { proof, open, features };
    describeKeeping(subject);
    describePlaces(subject);
    describeListing(subject);
    describeRecordStoreVersions(subject);
    describeRecordStoreBounds(subject);
    describeRecordStoreFaults(subject);
  });
}

function describeKeeping({ proof, open }: RecordStoreSubject): void {
  proof.promise('get() returns the text and the summary unchanged, also in another process', async () => {
    const { store, reopen } = await open();
    const hostile = `${hostileText.replaceAll('\ud800', '')}\u0000\u2028\n{"format":2}\n`;
    const texts = ['', '\n', hostile, hostile.repeat(Math.ceil(1_048_576 / hostile.length))];
    for (const [index, text] of texts.entries()) {
      const record = recordOf({ key: `text-${index}`, text, summary: text.slice(0, 2_000) });
      const version = versionOf(await store.put(record, signal));
      for (const place of [store, reopen(), store]) {
        const found = await place.get(record, signal);
        expect([versionOf(found), found !== null && found !== 'damaged' && found.text === text]).toEqual([
          version,
          true,
        ]);
        expect(found).toMatchObject({ summary: record.summary });
      }
    }
  });

  proof.promise('get() of a missing record is null', async () => {
    const { store } = await open();
    expect(await store.get(recordOf(), signal)).toBeNull();
    await store.put(recordOf({ key: 'other' }), signal);
    expect(await store.get(recordOf(), signal)).toBeNull();
  });

  proof.promise('an instance that has read before sees what another puts and deletes', async () => {
    const { store, reopen } = await open();
    const other = reopen();
    const seen = async (): Promise<readonly unknown[]> => [
      versionOf(await other.get(recordOf(), signal)),
      await keysOf(other),
      await other.owners(notes, signal),
    ];
    expect(await seen()).toEqual([-1, '', []]);
    const first = versionOf(await store.put(recordOf(), signal));
    expect(await seen()).toEqual([first, 'first', ['alice']]);
    const second = versionOf(await store.put(recordOf({ expectedVersion: first }), signal));
    expect(await seen()).toEqual([second, 'first', ['alice']]);
    await store.delete(recordOf(), signal);
    expect(await seen()).toEqual([-1, '', []]);
  });

  proof.promise('concurrent puts of different records are all kept', async () => {
    const { store, reopen } = await open();
    const other = reopen();
    const keys = Array.from({ length: 20 }, (_, index) => `key-${index}`);
    const put = keys.map((key, index) => (index % 2 === 0 ? store : other).put(recordOf({ key, text: key }), signal));
    expect((await Promise.all(put)).filter(({ saved }) => !saved)).toEqual([]);
    for (const key of keys) {
      expect(await reopen().get(recordOf({ key }), signal)).toMatchObject({ text: key });
    }
  });
}

const strangeKeys = ['', '.', '..', '../x', 'a/b', 'A', '-a', 'a_b', 'a.corrupt-1', 'a\u0000', 'é', 'a'.repeat(129)];

function describePlaces({ proof, open }: RecordStoreSubject): void {
  proof.promise('owners that differ in any character are different owners, and listed once each', async () => {
    const { store, reopen } = await open();
    const owners = [...ownersAlike, '', '\ud800', '\ud801', 'o'.repeat(5_000)];
    for (const owner of owners) {
      expect(await store.get(recordOf({ owner }), signal), showValue(owner)).toBeNull();
      expect(await store.put(recordOf({ owner, text: `of ${owner.length}` }), signal)).toMatchObject({ saved: true });
      await store.put(recordOf({ owner, key: 'second', stampMs: 2_000 }), signal);
    }
    for (const owner of owners) {
      expect(await reopen().get(recordOf({ owner }), signal)).toMatchObject({ text: `of ${owner.length}` });
      expect(await keysOf(reopen(), owner)).toBe('second first');
    }
    expect((await reopen().owners(notes, signal)).toSorted()).toEqual(owners.toSorted());
  });

  proof.promise('kinds are kept apart', async () => {
    const { store, reopen } = await open();
    const other = { ...notes, name: 'notes-2' };
    await store.put(recordOf({ text: 'one' }), signal);
    expect(await store.get(recordOf({ kind: other }), signal)).toBeNull();
    expect(await store.owners(other, signal)).toEqual([]);
    await store.put(recordOf({ kind: other, text: 'two' }), signal);
    expect(await store.delete(recordOf(), signal)).toEqual({ deleted: true });
    expect(await reopen().get(recordOf({ kind: other }), signal)).toMatchObject({ text: 'two' });
    expect(await keysOf(reopen(), 'alice', notes)).toBe('');
  });

  proof.promise('keys that differ in any of 128 characters are different keys', async () => {
    const { store, reopen } = await open();
    const keys = ['a', 'aa', 'a-a', 'a-', '1', '01', 'x'.repeat(127), 'x'.repeat(128)];
    for (const key of keys) {
      expect(await store.get(recordOf({ key }), signal), key).toBeNull();
      expect(await store.put(recordOf({ key, text: key }), signal), key).toMatchObject({ saved: true });
    }
    for (const key of keys) {
      expect(await reopen().get(recordOf({ key }), signal)).toMatchObject({ text: key });
    }
  });

  for (const key of strangeKeys) {
    proof.promise(`an invalid key is never found and never kept: ${showValue(key)}`, async () => {
      const { store } = await open();
      await store.put(recordOf(), signal);
      expect(await store.put(recordOf({ key }), signal)).toMatchObject({ saved: false, reason: 'unavailable' });
      expect(await store.get(recordOf({ key }), signal)).toBeNull();
      expect(await store.delete(recordOf({ key }), signal)).toEqual({ deleted: false, reason: 'unknown' });
      expect(await keysOf(store)).toBe('first');
    });
  }
}

function describeListing({ proof, open }: RecordStoreSubject): void {
  proof.promise('list() returns the newest by their stamps, up to the limit', async () => {
    const { store, reopen } = await open();
    for (const [key, stampMs] of [
      ['b', 2],
      ['d', 4],
      ['a', 1],
      ['c', 3],
    ] as const) {
      await store.put(recordOf({ key, stampMs }), signal);
    }
    const of = { kind: notes, owner: 'alice' };
    expect(await keysOf(reopen())).toBe('d c b a');
    expect((await store.list(of, 2, signal)).map(({ key }) => key)).toEqual(['d', 'c']);
    expect(await store.list(of, 0, signal)).toEqual([]);
    expect(await store.list(of, Number.MAX_SAFE_INTEGER, signal)).toHaveLength(4);
    const version = versionOf(await store.get(recordOf({ key: 'a' }), signal));
    await store.put(recordOf({ key: 'a', stampMs: 9, expectedVersion: version }), signal);
    expect(await keysOf(reopen())).toBe('a d c b');
  });

  proof.promise('list() keeps one order for records of the same time, in every place', async () => {
    const { store, reopen } = await open();
    for (const key of ['d', 'a', 'c', 'b']) {
      await store.put(recordOf({ key }), signal);
    }
    const keys = await keysOf(store);
    expect(keys.split(' ').toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect(await keysOf(reopen())).toBe(keys);
  });

  proof.promise('list() returns key, version, summary and size, and nothing else', async () => {
    const { store, reopen } = await open();
    const version = versionOf(await store.put(recordOf({ summary: 'é', text: '\u6f22\u{1f600}' }), signal));
    for (const place of [store, reopen()]) {
      const listed = await place.list({ kind: notes, owner: 'alice' }, 10, signal);
      expect(listed).toEqual([{ key: 'first', version, summary: 'é', bytes: 9 }]);
    }
  });
}
