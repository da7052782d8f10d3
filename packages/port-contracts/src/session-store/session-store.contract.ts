import { storedSessionBounds } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect } from 'vitest';
import { watchStores } from '../stores/watch-stores.ts';
import { describeSessionStoreBounds } from './session-store-bounds.contract.ts';
import { describeSessionStoreDamage } from './session-store-damage.contract.ts';
import { describeSessionStoreDeleting } from './session-store-deleting.contract.ts';
import {
  type OpenSessionStore,
  type SessionStoreFeatures,
  type SessionStoreHarness,
  type SessionStorePlace,
  type SessionStoreSubject,
  sessionOf,
  signal,
} from './session-store-harness.ts';
import { describeSessionStoreListing } from './session-store-listing.contract.ts';
import { describeSessionStoreOwners } from './session-store-owners.contract.ts';
import { describeSessionStoreRetention } from './session-store-retention.contract.ts';
import { describeSessionStoreSaving } from './session-store-saving.contract.ts';
import { describeSessionStoreSignals } from './session-store-signals.contract.ts';
import { describeSessionStoreText } from './session-store-text.contract.ts';

export type SessionStoreContractOptions = {
  readonly name: string;
  readonly features: SessionStoreFeatures;
  /** Makes a place without sessions, and a store over it. */
  readonly create: (place: SessionStorePlace) => Promise<SessionStoreHarness>;
  /** As in `ProofOptions`. */
  readonly deadlineMs?: number;
};

/** The promises of every `SessionStore`. */
export function describeSessionStoreContract(options: SessionStoreContractOptions): void {
  const { name, features, create, deadlineMs } = options;
  describe(`SessionStore contract: ${name}`, () => {
    const { proof, hold } = watchStores({ port: 'SessionStore', name, deadlineMs });
    const open: OpenSessionStore = async (place) => {
      const clock = new FakeClock();
      const harness = await create({ clock, retentionMs: null, bounds: storedSessionBounds, ...place });
      return hold(harness);
    };

    const subject = { proof, open, features };
    describeSessionStoreKeeping(subject);
    describeSessionStoreSaving(subject);
    describeSessionStoreText(subject);
    describeSessionStoreListing(subject);
    describeSessionStoreOwners(subject);
    describeSessionStoreDeleting(subject);
    describeSessionStoreDamage(subject);
    describeSessionStoreBounds(subject);
    describeSessionStoreRetention(subject);
    describeSessionStoreSignals(subject);
  });
}

function describeSessionStoreKeeping({ proof, open }: SessionStoreSubject): void {
  proof.promise('load() of an unknown id resolves to null', async () => {
    const { store } = await open();
    expect(await store.load('alice', sessionOf().id, signal)).toBeNull();
  });

  proof.promise('save() and load() round-trip, also in another process', async () => {
    const { store, reopen } = await open();
    const saved = await store.save(sessionOf(), 0, signal);
    expect(saved).toEqual({ saved: true, version: expect.any(Number) });
    expect((await reopen().load('alice', sessionOf().id, signal))?.session).toEqual(sessionOf());
  });

  proof.promise('a session can be loaded any number of times', async () => {
    const { store } = await open();
    await store.save(sessionOf(), 0, signal);
    const first = await store.load('alice', sessionOf().id, signal);
    expect(first).not.toBeNull();
    expect(await store.load('alice', sessionOf().id, signal)).toEqual(first);
    expect(await store.list('alice', 10, signal)).toHaveLength(1);
  });

  proof.promise('a place that has read before sees what another saves and deletes', async () => {
    const { store, reopen } = await open();
    const other = reopen();
    const { id } = sessionOf();
    const seen = async (): Promise<readonly unknown[]> => [
      (await other.load('alice', id, signal))?.session.updatedAtMs,
      (await other.list('alice', 10, signal)).map(({ updatedAtMs }) => updatedAtMs),
      await other.owners(signal),
    ];
    expect(await seen()).toEqual([undefined, [], []]);
    let version = 0;
    for (const updatedAtMs of [2_000, 3_000]) {
      const saved = await store.save(sessionOf({ updatedAtMs }), version, signal);
      version = saved.saved ? saved.version : -1;
      expect(await seen()).toEqual([updatedAtMs, [updatedAtMs], ['alice']]);
    }
    await store.delete('alice', id, signal);
    expect(await seen()).toEqual([undefined, [], []]);
  });
}
