import type { Clock, SaveResult, Session, SessionStore, StoredSession } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, describe, expect, it } from 'vitest';

export type SessionStoreHarness = {
  readonly store: SessionStore;
  /** The same sessions as another process would see them. */
  readonly reopen: () => SessionStore;
  /** Makes every save fail, until what it resolves to is called. For a store where saving can fail. */
  readonly breakSaving?: () => Promise<() => Promise<void>>;
  readonly dispose: () => Promise<void>;
};

export type SessionStoreRetention = {
  readonly clock: Clock;
  readonly retentionMs: number;
};

export type SessionStoreContractOptions = {
  readonly name: string;
  /** A store that forgets nothing. */
  readonly create: () => Promise<SessionStoreHarness>;
  /** A store that forgets sessions whose last update is that long ago. For a store that can. */
  readonly createForgetful?: (retention: SessionStoreRetention) => Promise<SessionStoreHarness>;
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

function idOf(letter: string): string {
  return letter.repeat(8).concat('-d9cb-469f-a165-70867728950e');
}

/** One that nothing is saved at, where there is none. */
function versionOf(stored: SaveResult | StoredSession | null): number {
  return stored !== null && 'version' in stored ? stored.version : -1;
}

/** What JSON, lines, C strings, UTF-8 and XML would each trip over. */
const hostile = '\u0000\u2028\u2029\r\n\t"\\\u{1f600}\u{10ffff}\ufeff\ud800\u007f</session>\u202e';

const strangeIds = ['', '.', '..', '../../x', '-r', '--session-file=/etc/passwd', 'a/b', 'a\u0000b', 'x'.repeat(5_000)];

/** What every `SessionStore` owes. */
export function describeSessionStoreContract(options: SessionStoreContractOptions): void {
  const { name, create, createForgetful } = options;
  describe(`SessionStore contract: ${name}`, () => {
    const harnesses: SessionStoreHarness[] = [];
    const keep = (harness: SessionStoreHarness): SessionStoreHarness => {
      harnesses.push(harness);
      return harness;
    };
    const open = async (): Promise<SessionStoreHarness> => keep(await create());
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
      expect(await store.save(second, versionOf(loaded), signal)).toMatchObject({ saved: true });
      expect(await store.save(session({ updatedAtMs: 3_000 }), versionOf(loaded), signal)).toEqual({
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

    it('of saves at once from two places, one is taken in each round, and that one is what is read', async () => {
      const { store, reopen } = await open();
      const stores = [store, reopen()];
      let version = 0;
      for (let round = 1; round <= 10; round += 1) {
        const results = await Promise.all(
          stores.map((one, index) => one.save(session({ updatedAtMs: 10 * round + index }), version, signal)),
        );
        const taken = results.findIndex((result) => result.saved);
        expect(results.filter((result) => result.saved)).toHaveLength(1);
        const loaded = await reopen().load('alice', session().id, signal);
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
          store.save(session({ updatedAtMs: round, turns }), version, signal),
          reader.load('alice', session().id, signal),
        ]);
        version = versionOf(saved);
        const told = loaded?.session ?? session({ updatedAtMs: 0, turns: [] });
        expect(told.turns.map((turn) => turn.text)).toEqual(told.turns.map(() => `${told.updatedAtMs}`));
        expect(told.turns).toHaveLength(told.updatedAtMs);
        expect(told.updatedAtMs).toBeGreaterThanOrEqual(seen);
        seen = told.updatedAtMs;
      }
    });

    it('large and hostile texts round-trip, in every field', async () => {
      const { store, reopen } = await open();
      const text = hostile.repeat(Math.ceil(1_048_576 / hostile.length));
      const large = session({
        model: hostile,
        workingDirectory: hostile,
        systemPrompt: text,
        turns: [
          { role: 'user', text, atMs: 1 },
          { role: 'model', text: '', atMs: 2 },
          { role: 'user', text: hostile, atMs: 2 },
        ],
      });
      expect(await store.save(large, 0, signal)).toMatchObject({ saved: true });
      const loaded = await reopen().load('alice', large.id, signal);
      expect(loaded?.session).toEqual(large);
      expect(await reopen().list('alice', 1, signal)).toEqual([large]);
    });

    it('an owner may be called anything', async () => {
      const { store, reopen } = await open();
      const owners = ['', '..', 'a/b', 'A/B', '\ud800', '\ud801', hostile, 'o'.repeat(5_000)];
      for (const owner of owners) {
        expect(await store.save(session({ owner }), 0, signal)).toMatchObject({ saved: true });
      }
      for (const owner of owners) {
        expect(await reopen().list(owner, 10, signal)).toEqual([session({ owner })]);
      }
    });

    it.each(strangeIds.map((id) => [id.slice(0, 40), id] as const))(
      'an id that is no UUID is unknown: %j',
      async (_, id) => {
        const { store } = await open();
        await store.save(session(), 0, signal);
        expect(await store.load('alice', id, signal)).toBeNull();
        expect(await store.delete('alice', id, signal)).toBe(false);
        expect(await store.list('alice', 10, signal)).toEqual([session()]);
      },
    );

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
      const ids = ['b', 'c', 'a'].map(idOf);
      for (const [index, id] of ids.entries()) {
        await store.save(session({ id, updatedAtMs: 1_000 * (index + 1) }), 0, signal);
      }
      const listed = await store.list('alice', 2, signal);
      expect(listed.map((entry) => entry.id)).toEqual([ids[2], ids[1]]);
    });

    it('list() goes by the last update, whenever it was saved', async () => {
      const { store, reopen } = await open();
      const ids = ['a', 'b', 'c'].map(idOf);
      for (const [index, id] of ids.entries()) {
        await store.save(session({ id, updatedAtMs: 9_000 - 1_000 * index }), 0, signal);
      }
      const first = await store.load('alice', idOf('c'), signal);
      await store.save(session({ id: idOf('c'), updatedAtMs: 20_000 }), versionOf(first), signal);
      const listed = await reopen().list('alice', 10, signal);
      expect(listed.map((entry) => entry.id)).toEqual(['c', 'a', 'b'].map(idOf));
    });

    it('list() keeps one order for sessions of one time, in every place', async () => {
      const { store, reopen } = await open();
      for (const letter of ['d', 'a', 'c', 'b']) {
        await store.save(session({ id: idOf(letter) }), 0, signal);
      }
      const listed = await store.list('alice', 10, signal);
      expect(listed).toHaveLength(4);
      expect(await reopen().list('alice', 10, signal)).toEqual(listed);
      expect(await store.list('alice', 2, signal)).toEqual(listed.slice(0, 2));
    });

    it('list() of none, and of nothing, is empty', async () => {
      const { store } = await open();
      expect(await store.list('alice', 10, signal)).toEqual([]);
      await store.save(session(), 0, signal);
      expect(await store.list('alice', 0, signal)).toEqual([]);
    });

    it('delete() says whether there was one, and then there is none', async () => {
      const { store } = await open();
      await store.save(session(), 0, signal);
      expect(await store.delete('alice', session().id, signal)).toBe(true);
      expect(await store.delete('alice', session().id, signal)).toBe(false);
      expect(await store.load('alice', session().id, signal)).toBeNull();
    });

    it('save() conflicts on a session that was deleted, and does not bring it back', async () => {
      const { store, reopen } = await open();
      await store.save(session(), 0, signal);
      const loaded = await store.load('alice', session().id, signal);
      await reopen().delete('alice', session().id, signal);
      expect(await store.save(session(), versionOf(loaded), signal)).toEqual({ saved: false, reason: 'conflict' });
      expect(await store.load('alice', session().id, signal)).toBeNull();
    });

    it('save() that fails says why, and leaves the old session', async ({ skip }) => {
      const { store, reopen, breakSaving } = await open();
      if (breakSaving === undefined) {
        skip('saving here does not fail');
        return;
      }
      await store.save(session(), 0, signal);
      const loaded = await store.load('alice', session().id, signal);
      const mend = await breakSaving();
      const failed = await store.save(session({ updatedAtMs: 2_000 }), versionOf(loaded), signal);
      await mend();
      expect(failed).toEqual({ saved: false, reason: 'unavailable', detail: expect.stringMatching(/\w+ \w+/) });
      expect(await store.load('alice', session().id, signal)).toEqual(loaded);
      expect(await reopen().load('alice', session().id, signal)).toEqual(loaded);
    });

    it('a session is unknown once its last update is too long ago', async ({ skip }) => {
      if (createForgetful === undefined) {
        skip('nothing is forgotten here');
        return;
      }
      const clock = new FakeClock();
      const { store, reopen } = keep(await createForgetful({ clock, retentionMs: 60_000 }));
      const updatedAtMs = clock.now();
      await store.save(session({ id: idOf('a'), updatedAtMs }), 0, signal);
      const saved = await store.save(session({ id: idOf('b'), updatedAtMs }), 0, signal);
      await clock.advance(59_999);
      expect(await store.list('alice', 10, signal)).toHaveLength(2);
      const renewed = session({ id: idOf('b'), updatedAtMs: clock.now() });
      await store.save(renewed, versionOf(saved), signal);
      await clock.advance(1);
      for (const place of [store, reopen()]) {
        expect(await place.load('alice', idOf('a'), signal)).toBeNull();
        expect(await place.list('alice', 10, signal)).toEqual([renewed]);
        expect(await place.delete('alice', idOf('a'), signal)).toBe(false);
      }
    });

    it('without retention nothing is too old', async () => {
      const { store } = await open();
      await store.save(session({ createdAtMs: 0, updatedAtMs: 0 }), 0, signal);
      expect(await store.list('alice', 10, signal)).toHaveLength(1);
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
