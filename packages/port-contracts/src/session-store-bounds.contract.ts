import type { SessionBounds } from '@gemini-mcp/core';
import { expect, it } from 'vitest';
import { idOf, type SessionStoreHarness, sessionOf, versionOf } from './session-store-harness.ts';

const signal = new AbortController().signal;

/** Room for whatever a store counts in addition to the text of a session. */
const bounds: SessionBounds = {
  maxBytesOfRecord: 30_000,
  maxRecordsOfOwner: 4,
  maxBytesOfOwner: 50_000,
  maxBytes: 100_000,
};

const letters = ['a', 'b', 'c', 'd', 'e', 'f'];

/** What is kept of many sessions, and of large ones. */
export function describeSessionStoreBounds(
  createBounded: (bounds: SessionBounds) => Promise<SessionStoreHarness>,
): void {
  const open = (): Promise<SessionStoreHarness> => createBounded(bounds);
  /** Saves sessions of so many characters, one after the other. */
  const saveAll = async (
    { store }: SessionStoreHarness,
    owner: string,
    sizes: readonly number[],
    fromMs = 0,
  ): Promise<void> => {
    for (const [index, size] of sizes.entries()) {
      const updatedAtMs = fromMs + index;
      const turns = [{ role: 'user', text: 'x'.repeat(size), atMs: 0 }] as const;
      const session = sessionOf({ id: idOf(letters[index] ?? 'x'), owner, updatedAtMs, turns });
      expect(await store.save(session, 0, signal)).toMatchObject({ saved: true });
    }
  };
  const kept = async ({ reopen }: SessionStoreHarness, owner: string): Promise<string> =>
    (await reopen().list(owner, 10, signal)).map(({ id }) => id.charAt(0)).join('');

  it('SHARE-05: keeps so many sessions of an owner, and lets the one go that was used last the longest ago', async () => {
    const harness = await open();
    await saveAll(harness, 'bob', [10]);
    await saveAll(harness, 'alice', [10, 10, 10, 10, 10, 10]);
    expect([await kept(harness, 'alice'), await kept(harness, 'bob')]).toEqual(['fedc', 'a']);
    expect(await harness.store.load('alice', idOf('a'), signal)).toBeNull();
  });

  it('SHARE-05: keeps so many bytes of an owner', async () => {
    const harness = await open();
    await saveAll(harness, 'bob', [20_000]);
    await saveAll(harness, 'alice', [20_000, 20_000, 20_000]);
    expect([await kept(harness, 'alice'), await kept(harness, 'bob')]).toEqual(['cb', 'a']);
  });

  it('SHARE-05: refuses a session that is too large, says why, and leaves the one before', async () => {
    const { store, reopen } = await open();
    const saved = await store.save(sessionOf(), 0, signal);
    const turns = [{ role: 'user', text: '\u6f22'.repeat(10_100), atMs: 0 }] as const;
    expect(await store.save(sessionOf({ turns }), versionOf(saved), signal)).toEqual({
      saved: false,
      reason: 'unavailable',
      detail: expect.stringMatching(/^it has 3\d{4} bytes, more than the 30000 /),
    });
    expect((await reopen().load('alice', sessionOf().id, signal))?.session).toEqual(sessionOf());
  });

  it('SHARE-05: beyond what all owners may have, lets sessions go of the one that has the most', async () => {
    const harness = await open();
    await saveAll(harness, 'bob', [10_000]);
    await saveAll(harness, 'carol', [20_000, 22_000], 10);
    await saveAll(harness, 'dave', [20_000, 20_000], 20);
    await saveAll(harness, 'eve', [22_000], 30);
    const owners = ['bob', 'carol', 'dave', 'eve'];
    expect(await Promise.all(owners.map((owner) => kept(harness, owner)))).toEqual(['a', 'b', 'ba', 'a']);
  });

  it('SHARE-05: counts what was there before it was opened', async () => {
    const harness = await open();
    await saveAll(harness, 'alice', [20_000, 20_000]);
    const reopened = harness.reopen();
    const session = sessionOf({
      id: idOf('c'),
      updatedAtMs: 9,
      turns: [{ role: 'user', text: 'x'.repeat(20_000), atMs: 0 }],
    });
    expect(await reopened.save(session, 0, signal)).toMatchObject({ saved: true });
    expect(await kept(harness, 'alice')).toBe('cb');
  });

  it('makes room again where a session is deleted or replaced', async () => {
    const harness = await open();
    await saveAll(harness, 'alice', [20_000, 20_000]);
    await harness.store.delete('alice', idOf('a'), signal);
    const small = sessionOf({ id: idOf('b'), updatedAtMs: 5, turns: [] });
    const large = await harness.store.load('alice', small.id, signal);
    expect(await harness.store.save(small, versionOf(large), signal)).toMatchObject({ saved: true });
    await saveAll(harness, 'alice', [20_000], 10);
    expect(await kept(harness, 'alice')).toBe('ab');
  });
}
