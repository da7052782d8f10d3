import { expect, it } from 'vitest';
import { idOf, listed, type OpenSessionStore, sessionOf, versionOf } from './session-store-harness.ts';

const signal = new AbortController().signal;
const { id } = sessionOf();

/** What becomes of a session that is deleted, and of those who still hold it. */
export function describeSessionStoreDeleting(open: OpenSessionStore): void {
  it('delete() says whether there was one, and then there is none, in any place', async () => {
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

  it('of deletions at once, exactly one says that there was one', async () => {
    const { store, reopen } = await open();
    await store.save(sessionOf(), 0, signal);
    const places = [store, reopen(), store, reopen()];
    const results = await Promise.all(places.map((place) => place.delete('alice', id, signal)));
    expect(results.filter(({ deleted }) => deleted)).toHaveLength(1);
  });

  it('save() conflicts on a session that was deleted, and does not bring it back', async () => {
    const { store, reopen } = await open();
    await store.save(sessionOf(), 0, signal);
    const loaded = await store.load('alice', id, signal);
    await reopen().delete('alice', id, signal);
    expect(await store.save(sessionOf(), versionOf(loaded), signal)).toEqual({ saved: false, reason: 'conflict' });
    expect(await store.load('alice', id, signal)).toBeNull();
    expect(await store.list('alice', 10, signal)).toEqual([]);
  });

  it('save() at a version from before a deletion conflicts also once the session was created again', async () => {
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
  });

  it('delete() that fails says why, and leaves the session', async ({ skip }) => {
    const { store, reopen, breakDeleting } = await open();
    if (breakDeleting === null) {
      skip('deleting here does not fail');
      return;
    }
    await store.save(sessionOf(), 0, signal);
    const loaded = await store.load('alice', id, signal);
    const mend = await breakDeleting();
    const failed = await store.delete('alice', id, signal);
    await mend();
    expect(failed).toEqual({ deleted: false, reason: 'unavailable', detail: expect.stringMatching(/\w+ \w+/) });
    expect(await reopen().load('alice', id, signal)).toEqual(loaded);
    expect(await reopen().delete('alice', id, signal)).toEqual({ deleted: true });
  });
}
