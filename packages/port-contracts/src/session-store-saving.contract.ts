import { expect, it } from 'vitest';
import { type OpenSessionStore, sessionOf, versionOf } from './session-store-harness.ts';

const signal = new AbortController().signal;

/** Which saves are taken, and what a reader sees meanwhile. */
export function describeSessionStoreSaving(open: OpenSessionStore): void {
  it('save() with the loaded version replaces, with an older one conflicts and changes nothing', async () => {
    const { store } = await open();
    await store.save(sessionOf(), 0, signal);
    const loaded = await store.load('alice', sessionOf().id, signal);
    const second = sessionOf({ updatedAtMs: 2_000 });
    expect(await store.save(second, versionOf(loaded), signal)).toMatchObject({ saved: true });
    expect(await store.save(sessionOf({ updatedAtMs: 3_000 }), versionOf(loaded), signal)).toEqual({
      saved: false,
      reason: 'conflict',
    });
    expect((await store.load('alice', sessionOf().id, signal))?.session).toEqual(second);
  });

  it('save() as new conflicts when the session exists', async () => {
    const { store } = await open();
    await store.save(sessionOf(), 0, signal);
    expect(await store.save(sessionOf(), 0, signal)).toEqual({ saved: false, reason: 'conflict' });
  });

  it('of saves at once with one version, exactly one is taken', async () => {
    const { store } = await open();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) => store.save(sessionOf({ updatedAtMs: 2_000 + index }), 0, signal)),
    );
    expect(results.filter((result) => result.saved)).toHaveLength(1);
  });

  it('of saves at once from two places, one is taken in each round, and that one is what is read', async () => {
    const { store, reopen } = await open();
    const stores = [store, reopen()];
    let version = 0;
    for (let round = 1; round <= 10; round += 1) {
      const results = await Promise.all(
        stores.map((one, index) => one.save(sessionOf({ updatedAtMs: 10 * round + index }), version, signal)),
      );
      const taken = results.findIndex((result) => result.saved);
      expect(results.filter((result) => result.saved)).toHaveLength(1);
      const loaded = await reopen().load('alice', sessionOf().id, signal);
      expect(loaded).toMatchObject({ session: { updatedAtMs: 10 * round + taken } });
      expect(results[taken]).toEqual({ saved: true, version: loaded?.version });
      version = versionOf(loaded);
    }
  });

  it('a reader beside a writer always sees a whole session, never an older one than before', async () => {
    const { store, reopen } = await open();
    const reader = reopen();
    let version = 0;
    let seen = 0;
    for (let round = 1; round <= 20; round += 1) {
      const turns = Array.from({ length: round }, (_, atMs) => ({ role: 'model', text: `${round}`, atMs }) as const);
      const [saved, loaded] = await Promise.all([
        store.save(sessionOf({ updatedAtMs: round, turns }), version, signal),
        reader.load('alice', sessionOf().id, signal),
      ]);
      version = versionOf(saved);
      const told = loaded?.session ?? sessionOf({ updatedAtMs: 0, turns: [] });
      expect(told.turns.map((turn) => turn.text)).toEqual(told.turns.map(() => `${told.updatedAtMs}`));
      expect(told.turns).toHaveLength(told.updatedAtMs);
      expect(told.updatedAtMs).toBeGreaterThanOrEqual(seen);
      seen = told.updatedAtMs;
    }
  });

  it('save() that fails says why, and leaves the old session', async ({ skip }) => {
    const { store, reopen, breakSaving } = await open();
    if (breakSaving === null) {
      skip('saving here does not fail');
      return;
    }
    await store.save(sessionOf(), 0, signal);
    const loaded = await store.load('alice', sessionOf().id, signal);
    const mend = await breakSaving();
    const failed = await store.save(sessionOf({ updatedAtMs: 2_000 }), versionOf(loaded), signal);
    await mend();
    expect(failed).toEqual({ saved: false, reason: 'unavailable', detail: expect.stringMatching(/\w+ \w+/) });
    expect(await store.load('alice', sessionOf().id, signal)).toEqual(loaded);
    expect(await reopen().load('alice', sessionOf().id, signal)).toEqual(loaded);
  });
}
