import { expect } from 'vitest';
import { declaredHook } from '../stores/store-features.ts';
import { idOf, type SessionStoreSubject, sessionOf, signal, versionOf } from './session-store-harness.ts';

/** Which saves succeed, and what a concurrent reader sees. */
export function describeSessionStoreSaving({ proof, open, features }: SessionStoreSubject): void {
  proof.promise(
    'save() with the loaded version replaces, with an older one conflicts and changes nothing',
    async () => {
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
    },
  );

  proof.promise('save() as new conflicts when the session exists', async () => {
    const { store } = await open();
    await store.save(sessionOf(), 0, signal);
    expect(await store.save(sessionOf(), 0, signal)).toEqual({ saved: false, reason: 'conflict' });
  });

  proof.promise('save() at an unknown version conflicts, and creates nothing', async () => {
    const { store } = await open();
    expect(await store.save(sessionOf(), 1, signal)).toEqual({ saved: false, reason: 'conflict' });
    expect(await store.load('alice', sessionOf().id, signal)).toBeNull();
    const version = versionOf(await store.save(sessionOf(), 0, signal));
    expect(await store.save(sessionOf(), version + 1_000_000, signal)).toEqual({ saved: false, reason: 'conflict' });
  });

  proof.promise('each save returns a new version, never 0', async () => {
    const { store } = await open();
    const versions = [0];
    for (let round = 0; round < 5; round += 1) {
      versions.push(versionOf(await store.save(sessionOf(), versions.at(-1) ?? 0, signal)));
      expect((await store.load('alice', sessionOf().id, signal))?.version).toBe(versions.at(-1));
    }
    expect(versions).toEqual([...new Set(versions)]);
  });

  proof.promise('of concurrent saves with one version, exactly one succeeds', async () => {
    const { store } = await open();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) => store.save(sessionOf({ updatedAtMs: 2_000 + index }), 0, signal)),
    );
    expect(results.filter((result) => result.saved)).toHaveLength(1);
  });

  proof.promise('of concurrent saves from two places, one succeeds in each round and is read', async () => {
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

  proof.promise('a concurrent reader sees whole sessions, never an older one than before', async () => {
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

  proof.promise('concurrent saves of different sessions are all kept', async () => {
    const { store, reopen } = await open();
    const other = reopen();
    const sessions = ['0', '1', '2', '3', '4', '5', '6', '7'].map((letter) => sessionOf({ id: idOf(letter) }));
    await Promise.all(sessions.map((session, index) => (index % 2 === 0 ? store : other).save(session, 0, signal)));
    const loaded = await Promise.all(sessions.map(({ id }) => reopen().load('alice', id, signal)));
    expect(loaded.map((one) => one?.session)).toEqual(sessions);
  });

  if (!features.failures) {
    return;
  }

  proof.promise('a failed save() returns the reason and keeps the old session', async () => {
    const harness = await open();
    const { store, reopen } = harness;
    await store.save(sessionOf(), 0, signal);
    const loaded = await store.load('alice', sessionOf().id, signal);
    const mend = await declaredHook(harness, 'breakWriting', 'failures')();
    proof.note('the harness breaks writing');
    const failed = await store.save(sessionOf({ updatedAtMs: 2_000 }), versionOf(loaded), signal).finally(mend);
    expect(failed).toEqual({ saved: false, reason: 'unavailable', detail: expect.stringMatching(/\S/) });
    for (const place of [store, reopen()]) {
      expect(await place.load('alice', sessionOf().id, signal)).toEqual(loaded);
    }
    expect(await store.save(sessionOf({ updatedAtMs: 3_000 }), versionOf(loaded), signal)).toMatchObject({
      saved: true,
    });
  });
}
