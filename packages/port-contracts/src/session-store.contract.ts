import type { Session, SessionStore } from '@gemini-mcp/core';
import { afterEach, describe, expect, it } from 'vitest';

export type SessionStoreHarness = {
  readonly store: SessionStore;
  /** The same sessions as another process would see them. */
  readonly reopen: () => SessionStore;
  readonly dispose: () => Promise<void>;
};

export type SessionStoreContractOptions = {
  readonly name: string;
  readonly create: () => Promise<SessionStoreHarness>;
};

const signal = new AbortController().signal;

function session(fields: Partial<Session> = {}): Session {
  return {
    id: '0f8fad5b-d9cb-469f-a165-70867728950e',
    owner: 'alice',
    model: 'gemini-2.5-pro',
    workingDirectory: '/projects/a b',
    systemPrompt: null,
    createdAtMs: 1_000,
    updatedAtMs: 1_000,
    turns: [{ role: 'user', text: 'Hi \u{1f600}\r\n</file>', atMs: 1_000 }],
    ...fields,
  };
}

/** What every `SessionStore` owes. */
export function describeSessionStoreContract({ name, create }: SessionStoreContractOptions): void {
  describe(`SessionStore contract: ${name}`, () => {
    const harnesses: SessionStoreHarness[] = [];
    const open = async (): Promise<SessionStoreHarness> => {
      const harness = await create();
      harnesses.push(harness);
      return harness;
    };
    afterEach(async () => {
      await Promise.all(harnesses.splice(0).map((harness) => harness.dispose()));
    });

    it('load(id) returns null for an unknown id', async () => {
      const { store } = await open();
      expect(await store.load('alice', session().id, signal)).toBeNull();
    });

    it('save() and load() round-trip, also in another process', async () => {
      const { store, reopen } = await open();
      const saved = await store.save(session(), 0, signal);
      expect(saved).toEqual({ saved: true, version: expect.any(Number) });
      expect((await reopen().load('alice', session().id, signal))?.session).toEqual(session());
    });

    it('save() with the loaded version replaces, with an older one conflicts and changes nothing', async () => {
      const { store } = await open();
      await store.save(session(), 0, signal);
      const loaded = await store.load('alice', session().id, signal);
      const second = session({ updatedAtMs: 2_000 });
      expect(await store.save(second, loaded?.version ?? -1, signal)).toMatchObject({ saved: true });
      expect(await store.save(session({ updatedAtMs: 3_000 }), loaded?.version ?? -1, signal)).toEqual({
        saved: false,
        reason: 'conflict',
      });
      expect((await store.load('alice', session().id, signal))?.session).toEqual(second);
    });

    it('save() as new conflicts when the session exists', async () => {
      const { store } = await open();
      await store.save(session(), 0, signal);
      expect(await store.save(session(), 0, signal)).toEqual({ saved: false, reason: 'conflict' });
    });

    it('of saves at once with one version, exactly one is taken', async () => {
      const { store } = await open();
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, index) => store.save(session({ updatedAtMs: 2_000 + index }), 0, signal)),
      );
      expect(results.filter((result) => result.saved)).toHaveLength(1);
    });

    it('another owner sees nothing: load, list and delete as if it did not exist', async () => {
      const { store } = await open();
      await store.save(session(), 0, signal);
      expect(await store.load('bob', session().id, signal)).toBeNull();
      expect(await store.list('bob', 10, signal)).toEqual([]);
      expect(await store.delete('bob', session().id, signal)).toBe(false);
      expect(await store.load('alice', session().id, signal)).not.toBeNull();
    });

    it('list() returns the newest first, at most the limit', async () => {
      const { store } = await open();
      const ids = ['a', 'b', 'c'].map((letter) => letter.repeat(8).concat('-d9cb-469f-a165-70867728950e'));
      for (const [index, id] of ids.entries()) {
        await store.save(session({ id, updatedAtMs: 1_000 * (index + 1) }), 0, signal);
      }
      const listed = await store.list('alice', 2, signal);
      expect(listed.map((entry) => entry.id)).toEqual([ids[2], ids[1]]);
    });

    it('delete() says whether there was one, and then there is none', async () => {
      const { store } = await open();
      await store.save(session(), 0, signal);
      expect(await store.delete('alice', session().id, signal)).toBe(true);
      expect(await store.delete('alice', session().id, signal)).toBe(false);
      expect(await store.load('alice', session().id, signal)).toBeNull();
    });

    it('an aborted signal ends every method with its reason', async () => {
      const { store } = await open();
      const aborted = AbortSignal.abort('the reason');
      await expect(store.load('alice', 'x', aborted)).rejects.toBe('the reason');
      await expect(store.save(session(), 0, aborted)).rejects.toBe('the reason');
      await expect(store.list('alice', 1, aborted)).rejects.toBe('the reason');
      await expect(store.delete('alice', 'x', aborted)).rejects.toBe('the reason');
    });
  });
}
