import { FakeClock } from '@gemini-mcp/core/testing';
import { expect } from 'vitest';
import { idOf, listed, type SessionStoreSubject, sessionOf, signal, versionOf } from './session-store-harness.ts';

const retentionMs = 60_000;

/** When sessions expire. */
export function describeSessionStoreRetention({ proof, open, features }: SessionStoreSubject): void {
  proof.promise('without retention nothing expires', async () => {
    const { store } = await open();
    await store.save(sessionOf({ createdAtMs: 0, updatedAtMs: 0 }), 0, signal);
    expect(await store.list('alice', 1, signal)).toHaveLength(1);
    expect(await store.load('alice', sessionOf().id, signal)).not.toBeNull();
  });

  if (!features.retention) {
    return;
  }

  proof.promise('a session is unknown once its last update is too old, and not before', async () => {
    const clock = new FakeClock();
    const { store, reopen } = await open({ clock, retentionMs });
    const updatedAtMs = clock.now();
    await store.save(sessionOf({ id: idOf('a'), updatedAtMs }), 0, signal);
    const saved = await store.save(sessionOf({ id: idOf('b'), updatedAtMs }), 0, signal);
    await clock.advance(retentionMs - 1);
    for (const place of [store, reopen()]) {
      expect(await place.list('alice', 10, signal)).toHaveLength(2);
      expect(await place.load('alice', idOf('a'), signal)).not.toBeNull();
    }
    const renewed = sessionOf({ id: idOf('b'), updatedAtMs: clock.now() });
    await store.save(renewed, versionOf(saved), signal);
    await clock.advance(1);
    for (const place of [store, reopen()]) {
      expect(await place.load('alice', idOf('a'), signal)).toBeNull();
      expect((await place.load('alice', idOf('b'), signal))?.session).toEqual(renewed);
      expect(await place.list('alice', 10, signal)).toEqual([listed(renewed)]);
      expect(await place.delete('alice', idOf('a'), signal)).toEqual({ deleted: false, reason: 'unknown' });
    }
  });

  proof.promise('reading a session does not extend its life', async () => {
    const clock = new FakeClock();
    const { store } = await open({ clock, retentionMs });
    await store.save(sessionOf({ updatedAtMs: clock.now() }), 0, signal);
    await clock.advance(retentionMs / 2);
    expect(await store.load('alice', sessionOf().id, signal)).not.toBeNull();
    expect(await store.list('alice', 1, signal)).toHaveLength(1);
    await clock.advance(retentionMs / 2);
    expect(await store.load('alice', sessionOf().id, signal)).toBeNull();
  });

  proof.promise('an expired session can be created again, and not saved on', async () => {
    const clock = new FakeClock();
    const { store, reopen } = await open({ clock, retentionMs });
    const held = versionOf(await store.save(sessionOf({ updatedAtMs: clock.now() }), 0, signal));
    await clock.advance(retentionMs);
    expect(await reopen().owners(signal)).toEqual([]);
    const again = sessionOf({ updatedAtMs: clock.now() });
    expect(await store.save(again, held, signal)).toEqual({ saved: false, reason: 'conflict' });
    expect(await store.save(again, 0, signal)).toMatchObject({ saved: true });
    expect((await reopen().load('alice', again.id, signal))?.session).toEqual(again);
  });
}
