import { expect, it } from 'vitest';
import { idOf, type OpenSessionStore, sessionOf, versionOf } from './session-store-harness.ts';

const signal = new AbortController().signal;

/** What `list()` tells, and in which order. */
export function describeSessionStoreListing(open: OpenSessionStore): void {
  it('list() returns the newest first, at most the limit', async () => {
    const { store } = await open();
    const ids = ['b', 'c', 'a'].map(idOf);
    for (const [index, id] of ids.entries()) {
      await store.save(sessionOf({ id, updatedAtMs: 1_000 * (index + 1) }), 0, signal);
    }
    const listed = await store.list('alice', 2, signal);
    expect(listed.map((entry) => entry.id)).toEqual([ids[2], ids[1]]);
  });

  it('list() goes by the last update, whenever it was saved', async () => {
    const { store, reopen } = await open();
    const ids = ['a', 'b', 'c'].map(idOf);
    for (const [index, id] of ids.entries()) {
      await store.save(sessionOf({ id, updatedAtMs: 9_000 - 1_000 * index }), 0, signal);
    }
    const first = await store.load('alice', idOf('c'), signal);
    await store.save(sessionOf({ id: idOf('c'), updatedAtMs: 20_000 }), versionOf(first), signal);
    const listed = await reopen().list('alice', 10, signal);
    expect(listed.map((entry) => entry.id)).toEqual(['c', 'a', 'b'].map(idOf));
  });

  it('list() keeps one order for sessions of one time, in every place', async () => {
    const { store, reopen } = await open();
    for (const letter of ['d', 'a', 'c', 'b']) {
      await store.save(sessionOf({ id: idOf(letter) }), 0, signal);
    }
    const listed = await store.list('alice', 10, signal);
    expect(listed).toHaveLength(4);
    expect(await reopen().list('alice', 10, signal)).toEqual(listed);
    expect(await store.list('alice', 2, signal)).toEqual(listed.slice(0, 2));
  });

  it('list() of none, and of nothing, is empty', async () => {
    const { store } = await open();
    expect(await store.list('alice', 10, signal)).toEqual([]);
    await store.save(sessionOf(), 0, signal);
    expect(await store.list('alice', 0, signal)).toEqual([]);
  });
}
