import type { SessionStore } from '@gemini-mcp/core';
import { expect } from 'vitest';
import { abortReason } from '../abort-reason.ts';
import { listenersLeft } from '../listeners-left.ts';
import { type SessionStoreSubject, sessionOf, signal, versionOf } from './session-store-harness.ts';

const { id } = sessionOf();

/** The calls of the methods; `version` is the version of the existing session. */
const calls: Readonly<
  Record<keyof SessionStore, (store: SessionStore, version: number, own: AbortSignal) => Promise<unknown>>
> = {
  load: (store, _, own) => store.load('alice', id, own),
  save: (store, version, own) => store.save(sessionOf({ updatedAtMs: 2_000 }), version, own),
  list: (store, _, own) => store.list('alice', 1, own),
  delete: (store, _, own) => store.delete('alice', id, own),
  owners: (store, _, own) => store.owners(own),
};

/** How aborted calls end, and that others leave no listener. */
export function describeSessionStoreSignals({ proof, open }: SessionStoreSubject): void {
  for (const [method, call] of Object.entries(calls)) {
    proof.promise(`${method}() rejects with the reason of an aborted signal, and changes nothing`, async () => {
      const { store, reopen } = await open();
      const version = versionOf(await store.save(sessionOf(), 0, signal));
      await expect(call(store, version, AbortSignal.abort(abortReason))).rejects.toBe(abortReason);
      expect(await reopen().load('alice', id, signal)).toEqual({ session: sessionOf(), version });
    });

    proof.promise(`${method}() leaves no listener on the signal`, async () => {
      const { store } = await open();
      const version = versionOf(await store.save(sessionOf(), 0, signal));
      const own = new AbortController().signal;
      await call(store, version, own);
      expect(listenersLeft(own), 'listeners of the signal').toBe(0);
    });
  }

  proof.promise(
    'save() that is aborted during the work ends with the reason or its result, and loses nothing',
    async () => {
      const { store, reopen } = await open();
      let before = { session: sessionOf(), version: versionOf(await store.save(sessionOf(), 0, signal)) };
      for (let microtasks = 0; microtasks < 20; microtasks += 1) {
        const controller = new AbortController();
        const next = sessionOf({ updatedAtMs: 2_000 + microtasks });
        const saving = store.save(next, before.version, controller.signal).catch((reason: unknown) => reason);
        for (let passed = 0; passed < microtasks; passed += 1) {
          await Promise.resolve();
        }
        controller.abort(abortReason);
        const came = await saving;
        const loaded = await reopen().load('alice', id, signal);
        expect([abortReason, { saved: true, version: loaded?.version }]).toContainEqual(came);
        const mayBeThere = came === abortReason ? [before.session, next] : [next];
        expect(mayBeThere).toContainEqual(loaded?.session);
        before = loaded ?? before;
      }
    },
  );
}
