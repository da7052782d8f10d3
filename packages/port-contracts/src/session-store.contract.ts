import type { Clock, SessionBounds } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { describeSessionStoreBounds } from './session-store-bounds.contract.ts';
import { describeSessionStoreDamage } from './session-store-damage.contract.ts';
import { describeSessionStoreDeleting } from './session-store-deleting.contract.ts';
import {
  idOf,
  listed,
  type OpenSessionStore,
  type SessionStoreHarness,
  sessionOf,
  versionOf,
} from './session-store-harness.ts';
import { describeSessionStoreListing } from './session-store-listing.contract.ts';
import { describeSessionStoreSaving } from './session-store-saving.contract.ts';
import { describeSessionStoreText } from './session-store-text.contract.ts';

export type SessionStoreRetention = {
  readonly clock: Clock;
  readonly retentionMs: number;
};

export type SessionStoreContractOptions = {
  readonly name: string;
  /** A store that forgets nothing. */
  readonly create: () => Promise<SessionStoreHarness>;
  /** A store that keeps no more than that, as it counts bytes: those of the texts and up to some hundred more. */
  readonly createBounded: (bounds: SessionBounds) => Promise<SessionStoreHarness>;
  /** A store that forgets sessions whose last update is that long ago. Null for a store that forgets nothing. */
  readonly createForgetful: ((retention: SessionStoreRetention) => Promise<SessionStoreHarness>) | null;
};

const signal = new AbortController().signal;

/** What every `SessionStore` owes. */
export function describeSessionStoreContract(options: SessionStoreContractOptions): void {
  const { name, create, createBounded, createForgetful } = options;
  describe(`SessionStore contract: ${name}`, () => {
    const harnesses: SessionStoreHarness[] = [];
    const keep = (harness: SessionStoreHarness): SessionStoreHarness => {
      harnesses.push(harness);
      return harness;
    };
    const open: OpenSessionStore = async () => keep(await create());
    afterEach(async () => {
      await Promise.all(harnesses.splice(0).map((harness) => harness.dispose()));
    });

    it('load(id) returns null for an unknown id', async () => {
      const { store } = await open();
      expect(await store.load('alice', sessionOf().id, signal)).toBeNull();
    });

    it('save() and load() round-trip, also in another process', async () => {
      const { store, reopen } = await open();
      const saved = await store.save(sessionOf(), 0, signal);
      expect(saved).toEqual({ saved: true, version: expect.any(Number) });
      expect((await reopen().load('alice', sessionOf().id, signal))?.session).toEqual(sessionOf());
    });

    describeSessionStoreSaving(open);
    describeSessionStoreText(open);
    describeSessionStoreListing(open);
    describeSessionStoreDeleting(open);
    describeSessionStoreDamage(open);
    describeSessionStoreBounds(async (bounds) => keep(await createBounded(bounds)));

    it('another owner sees nothing: load, list and delete as if it did not exist', async () => {
      const { store } = await open();
      await store.save(sessionOf(), 0, signal);
      expect(await store.load('bob', sessionOf().id, signal)).toBeNull();
      expect(await store.list('bob', 10, signal)).toEqual([]);
      expect(await store.delete('bob', sessionOf().id, signal)).toEqual({ deleted: false, reason: 'unknown' });
      expect(await store.load('alice', sessionOf().id, signal)).not.toBeNull();
    });

    it('a session is unknown once its last update is too long ago', async ({ skip }) => {
      if (createForgetful === null) {
        skip('nothing is forgotten here');
        return;
      }
      const clock = new FakeClock();
      const { store, reopen } = keep(await createForgetful({ clock, retentionMs: 60_000 }));
      const updatedAtMs = clock.now();
      await store.save(sessionOf({ id: idOf('a'), updatedAtMs }), 0, signal);
      const saved = await store.save(sessionOf({ id: idOf('b'), updatedAtMs }), 0, signal);
      await clock.advance(59_999);
      expect(await store.list('alice', 10, signal)).toHaveLength(2);
      const renewed = sessionOf({ id: idOf('b'), updatedAtMs: clock.now() });
      await store.save(renewed, versionOf(saved), signal);
      await clock.advance(1);
      for (const place of [store, reopen()]) {
        expect(await place.load('alice', idOf('a'), signal)).toBeNull();
        expect(await place.list('alice', 10, signal)).toEqual([listed(renewed)]);
        expect(await place.delete('alice', idOf('a'), signal)).toEqual({ deleted: false, reason: 'unknown' });
      }
    });

    it('without retention nothing is too old', async () => {
      const { store } = await open();
      await store.save(sessionOf({ createdAtMs: 0, updatedAtMs: 0 }), 0, signal);
      expect(await store.list('alice', 10, signal)).toHaveLength(1);
    });

    it('an aborted signal ends every method with its reason', async () => {
      const { store } = await open();
      const aborted = AbortSignal.abort('the reason');
      await expect(store.load('alice', 'x', aborted)).rejects.toBe('the reason');
      await expect(store.save(sessionOf(), 0, aborted)).rejects.toBe('the reason');
      await expect(store.list('alice', 1, aborted)).rejects.toBe('the reason');
      await expect(store.delete('alice', 'x', aborted)).rejects.toBe('the reason');
      await expect(store.owners(aborted)).rejects.toBe('the reason');
    });
  });
}
