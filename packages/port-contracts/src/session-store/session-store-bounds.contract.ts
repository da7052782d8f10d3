import type { SessionBounds } from '@gemini-mcp/core';
import { expect } from 'vitest';
import {
  idOf,
  type SessionStoreHarness,
  type SessionStoreSubject,
  sessionOf,
  signal,
  versionOf,
} from './session-store-harness.ts';

/** Room for a store's own bytes in addition to the text of a session. */
const bounds: SessionBounds = {
  maxBytesOfRecord: 30_000,
  maxRecordsOfOwner: 4,
  maxBytesOfOwner: 50_000,
  maxBytes: 100_000,
};

type Saved = { readonly letter: string; readonly size: number; readonly updatedAtMs: number };

/** Sessions of this many characters, each updated a millisecond after the one before. */
function sized(sizes: readonly number[], fromMs = 0): readonly Saved[] {
  return sizes.map((size, index) => ({ letter: 'abcdef'.charAt(index), size, updatedAtMs: fromMs + index }));
}

async function saveAll({ store }: SessionStoreHarness, owner: string, sessions: readonly Saved[]): Promise<void> {
  for (const { letter, size, updatedAtMs } of sessions) {
    const turns = [{ role: 'user', text: 'x'.repeat(size), atMs: 0 }] as const;
    const saved = await store.save(sessionOf({ id: idOf(letter), owner, updatedAtMs, turns }), 0, signal);
    expect(saved).toMatchObject({ saved: true });
  }
}

/** The first letters of an owner's sessions, the newest first. */
async function kept({ reopen }: SessionStoreHarness, owner: string): Promise<string> {
  const summaries = await reopen().list(owner, 10, signal);
  return summaries.map(({ id }) => id.charAt(0)).join('');
}

/** Bounds of many and of large sessions. */
export function describeSessionStoreBounds({ proof, open }: SessionStoreSubject): void {
  const openBounded = (own: Partial<SessionBounds> = {}): Promise<SessionStoreHarness> =>
    open({ bounds: { ...bounds, ...own } });

  proof.promise(
    'SHARE-05: keeps so many sessions of an owner, and removes the least recently updated one',
    async () => {
      const harness = await openBounded();
      await saveAll(harness, 'bob', sized([10]));
      await saveAll(harness, 'alice', sized([10, 10, 10, 10, 10, 10]));
      expect([await kept(harness, 'alice'), await kept(harness, 'bob')]).toEqual(['fedc', 'a']);
      expect(await harness.store.load('alice', idOf('a'), signal)).toBeNull();
    },
  );

  proof.promise('SHARE-05: keeps so many bytes of an owner', async () => {
    const harness = await openBounded();
    await saveAll(harness, 'bob', sized([20_000]));
    await saveAll(harness, 'alice', sized([20_000, 20_000, 20_000]));
    expect([await kept(harness, 'alice'), await kept(harness, 'bob')]).toEqual(['cb', 'a']);
  });

  proof.promise('removes the session that was updated first, whenever it was saved', async () => {
    const harness = await openBounded({ maxRecordsOfOwner: 2 });
    const sessions = [50, 10, 60].map((updatedAtMs, index) => ({ letter: 'abc'.charAt(index), size: 1, updatedAtMs }));
    await saveAll(harness, 'alice', sessions);
    expect(await kept(harness, 'alice')).toBe('ca');
  });

  proof.promise('the session that was just saved stays, however long ago it was updated', async () => {
    const harness = await openBounded();
    await saveAll(harness, 'alice', sized([20_000, 20_000], 10));
    await saveAll(harness, 'alice', [{ letter: 'c', size: 20_000, updatedAtMs: 1 }]);
    expect(await kept(harness, 'alice')).toBe('bc');
  });

  proof.promise('SHARE-05: refuses a session that is too large with a reason, and keeps the one before', async () => {
    const harness = await openBounded();
    const { store, reopen } = harness;
    const saved = await store.save(sessionOf(), 0, signal);
    const turns = [{ role: 'user', text: '\u6f22'.repeat(10_100), atMs: 0 }] as const;
    expect(await store.save(sessionOf({ turns }), versionOf(saved), signal)).toEqual({
      saved: false,
      reason: 'unavailable',
      detail: expect.stringMatching(/\S/),
    });
    expect((await reopen().load('alice', sessionOf().id, signal))?.session).toEqual(sessionOf());
    expect(await store.save(sessionOf({ turns, id: idOf('a') }), 0, signal)).toMatchObject({ reason: 'unavailable' });
    expect(await kept(harness, 'alice')).toBe('0');
  });

  proof.promise('keeps a session of exactly the largest size, and refuses one byte more', async () => {
    const known = await openBounded();
    await known.store.save(sessionOf(), 0, signal);
    const [{ bytes } = { bytes: 0 }] = await known.store.list('alice', 1, signal);
    const isKeptWith = async (maxBytesOfRecord: number): Promise<boolean> => {
      const { store } = await openBounded({ maxBytesOfRecord });
      return (await store.save(sessionOf(), 0, signal)).saved;
    };
    expect(await isKeptWith(bytes - 1), 'with one byte less than it has').toBe(false);
    // A store may need more for a session than it reports.
    const countsMore = !(await isKeptWith(bytes + 1));
    expect(await isKeptWith(bytes), 'with as many bytes as it has').toBe(!countsMore);
  });

  proof.promise('SHARE-05: when all owners together have too much, removes sessions of the largest owner', async () => {
    const harness = await openBounded();
    await saveAll(harness, 'bob', sized([10_000]));
    await saveAll(harness, 'carol', sized([20_000, 22_000], 10));
    await saveAll(harness, 'dave', sized([20_000, 20_000], 20));
    await saveAll(harness, 'eve', sized([22_000], 30));
    const owners = ['bob', 'carol', 'dave', 'eve'];
    expect(await Promise.all(owners.map((owner) => kept(harness, owner)))).toEqual(['a', 'b', 'ba', 'a']);
  });

  proof.promise('a save that cannot remove older sessions changes nothing', async () => {
    const harness = await openBounded({ maxRecordsOfOwner: 2 });
    await saveAll(harness, 'alice', sized([10, 20]));
    const mend = (await harness.breakEvicting?.()) ?? proof.skip('deletions that make room cannot fail alone');
    const failed = await harness.store.save(sessionOf({ id: idOf('c'), updatedAtMs: 9 }), 0, signal);
    expect(failed).toMatchObject({ saved: false, reason: 'unavailable' });
    expect(await kept(harness, 'alice')).toBe('ba');
    expect(await harness.reopen().load('alice', idOf('c'), signal)).toBeNull();
    await mend();
    await saveAll(harness, 'alice', [{ letter: 'd', size: 10, updatedAtMs: 10 }]);
    expect(await kept(harness, 'alice')).toBe('db');
  });

  proof.promise('SHARE-05: counts sessions from before it was opened', async () => {
    const harness = await openBounded();
    await saveAll(harness, 'alice', sized([20_000, 20_000]));
    await saveAll({ ...harness, store: harness.reopen() }, 'alice', [{ letter: 'c', size: 20_000, updatedAtMs: 9 }]);
    expect(await kept(harness, 'alice')).toBe('cb');
  });

  proof.promise('makes room when a session is deleted or replaced', async () => {
    const harness = await openBounded();
    await saveAll(harness, 'alice', sized([20_000, 20_000]));
    await harness.store.delete('alice', idOf('a'), signal);
    const small = sessionOf({ id: idOf('b'), updatedAtMs: 5, turns: [] });
    const large = await harness.store.load('alice', small.id, signal);
    expect(await harness.store.save(small, versionOf(large), signal)).toMatchObject({ saved: true });
    await saveAll(harness, 'alice', sized([20_000], 10));
    expect(await kept(harness, 'alice')).toBe('ab');
  });
}
