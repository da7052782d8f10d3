import type { AnswerSaved, AnswerStore, AnswerToSave, Clock } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, describe, expect, it } from 'vitest';

export type AnswerStoreHarness = {
  readonly store: AnswerStore;
  /** The same answers as another process would see them. */
  readonly reopen: () => AnswerStore;
  readonly dispose: () => Promise<void>;
};

export type AnswerStoreBounds = {
  readonly clock: Clock;
  readonly expiryMs: number;
  /** Of one answer, in bytes as the store counts them: a few hundred more than its text has. */
  readonly maxAnswerBytes: number;
  /** Of all answers of an owner. */
  readonly maxOwnerBytes: number;
  /** Of all answers of all owners. */
  readonly maxBytes: number;
};

export type AnswerStoreContractOptions = {
  readonly name: string;
  readonly create: (bounds: AnswerStoreBounds) => Promise<AnswerStoreHarness>;
};

const signal = new AbortController().signal;
const hourMs = 3_600_000;

const strangeHandles = ['', '.', '..', '../../x', 'a/b', 'A', '-r', 'a\u0000b', 'a'.repeat(33), 'a'.repeat(5_000)];

function answer(fields: Partial<AnswerToSave> = {}): AnswerToSave {
  return { owner: 'alice', title: 'What is it?', text: 'It is this.', ...fields };
}

function handleOf(saved: AnswerSaved): string {
  return saved.saved ? saved.answer.handle : `not saved: ${saved.detail}`;
}

/** What every `AnswerStore` owes. */
export function describeAnswerStoreContract({ name, create }: AnswerStoreContractOptions): void {
  describe(`AnswerStore contract: ${name}`, () => {
    const harnesses: AnswerStoreHarness[] = [];
    const open = async (bounds: Partial<AnswerStoreBounds> = {}): Promise<AnswerStoreHarness> => {
      const maxBytes = 64 * 1_048_576;
      const clock = new FakeClock();
      const harness = await create({
        clock,
        expiryMs: hourMs,
        maxAnswerBytes: maxBytes,
        maxOwnerBytes: maxBytes,
        maxBytes,
        ...bounds,
      });
      harnesses.push(harness);
      return harness;
    };
    afterEach(async () => {
      await Promise.all(harnesses.splice(0).map((harness) => harness.dispose()));
    });

    it('keeps what is to be said at the end of a text, also for another process (CUT-04)', async () => {
      const { store, reopen } = await open();
      const saved = await store.save(answer({ endNote: 'It is cut here.' }), signal);
      expect(await reopen().load('alice', handleOf(saved), signal)).toMatchObject({ endNote: 'It is cut here.' });
      const plain = await store.save(answer(), signal);
      expect(await reopen().load('alice', handleOf(plain), signal)).not.toHaveProperty('endNote');
    });

    it('save() tells what load() and list() give back, also in another process', async () => {
      const clock = new FakeClock();
      const { store, reopen } = await open({ clock });
      const saved = await store.save(answer(), signal);
      const summary = {
        handle: expect.stringMatching(/^[a-z0-9]{1,32}$/),
        owner: 'alice',
        title: 'What is it?',
        createdAtMs: clock.now(),
        characters: 11,
      };
      expect(saved).toEqual({ saved: true, answer: summary });
      expect(await reopen().list('alice', 10, signal)).toEqual([summary]);
      expect(await reopen().load('alice', handleOf(saved), signal)).toEqual({
        ...answer(),
        handle: handleOf(saved),
        createdAtMs: clock.now(),
      });
    });

    it('large and hostile texts round-trip', async () => {
      const { store, reopen } = await open();
      const text = '\u0000\u2028\r\n"\\\u{1f600}\ufeff\ud800</answer>'.repeat(50_000);
      const saved = await store.save(answer({ text, title: '\u2028 \u0000' }), signal);
      expect(saved).toMatchObject({ answer: { characters: text.length } });
      const loaded = await reopen().load('alice', handleOf(saved), signal);
      expect(loaded?.text === text).toBe(true);
      expect(loaded?.title).toBe('\u2028 \u0000');
    });

    it('saves at once are all kept, each by a handle of its own', async () => {
      const { store, reopen } = await open();
      const other = reopen();
      const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
      const saved = await Promise.all(
        texts.map((text, index) => (index % 2 === 0 ? store : other).save(answer({ text }), signal)),
      );
      const loaded = await Promise.all(saved.map((one) => reopen().load('alice', handleOf(one), signal)));
      expect(loaded.map((one) => one?.text)).toEqual(texts);
      expect(new Set(saved.map(handleOf)).size).toBe(20);
    });

    it.each(strangeHandles.map((handle) => [handle.slice(0, 40), handle] as const))(
      'a handle that is none is unknown: %j',
      async (_, handle) => {
        const { store } = await open();
        await store.save(answer(), signal);
        expect(await store.load('alice', handle, signal)).toBeNull();
      },
    );

    it('another owner sees nothing', async () => {
      const { store } = await open();
      const saved = await store.save(answer(), signal);
      expect(await store.load('bob', handleOf(saved), signal)).toBeNull();
      expect(await store.list('bob', 10, signal)).toEqual([]);
    });

    it('list() returns the newest first, at most the limit', async () => {
      const clock = new FakeClock();
      const { store } = await open({ clock });
      for (const title of ['one', 'two', 'three']) {
        await store.save(answer({ title }), signal);
        await clock.advance(1);
      }
      const listed = await store.list('alice', 2, signal);
      expect(listed.map((one) => one.title)).toEqual(['three', 'two']);
      expect(await store.list('alice', 0, signal)).toEqual([]);
    });

    it('list() keeps one order for answers of one time', async () => {
      const { store } = await open();
      for (const title of ['one', 'two', 'three']) {
        await store.save(answer({ title }), signal);
      }
      const listed = await store.list('alice', 10, signal);
      expect(listed).toHaveLength(3);
      expect(await store.list('alice', 10, signal)).toEqual(listed);
    });

    it('an answer is unknown once its time is over', async () => {
      const clock = new FakeClock();
      const { store, reopen } = await open({ clock });
      const old = handleOf(await store.save(answer(), signal));
      await clock.advance(hourMs - 1);
      const young = handleOf(await store.save(answer(), signal));
      expect(await store.load('alice', old, signal)).not.toBeNull();
      await clock.advance(1);
      for (const place of [store, reopen()]) {
        expect(await place.load('alice', old, signal)).toBeNull();
        expect((await place.list('alice', 10, signal)).map((one) => one.handle)).toEqual([young]);
      }
    });

    it('an answer that is too large is not kept, and says so', async () => {
      const { store } = await open({ maxAnswerBytes: 4_000 });
      expect(await store.save(answer({ text: 'é'.repeat(1_500) }), signal)).toMatchObject({ saved: true });
      expect(await store.save(answer({ text: 'é'.repeat(2_001) }), signal)).toEqual({
        saved: false,
        detail: expect.stringContaining('4000 '),
      });
      expect(await store.list('alice', 10, signal)).toHaveLength(1);
    });

    it("an owner's oldest answers go first, and nobody else's", async () => {
      const clock = new FakeClock();
      const { store, reopen } = await open({ clock, maxOwnerBytes: 10_000 });
      const saveAs = async (owner: string, title: string): Promise<void> => {
        await store.save(answer({ owner, title, text: 'x'.repeat(3_000) }), signal);
        await clock.advance(1);
      };
      await saveAs('bob', 'his');
      for (const title of ['one', 'two', 'three', 'four', 'five']) {
        await saveAs('alice', title);
      }
      const listed = await reopen().list('alice', 10, signal);
      expect(listed.map((one) => one.title)).toEqual(['five', 'four', 'three']);
      expect(await reopen().list('bob', 10, signal)).toHaveLength(1);
    });

    it('SHARE-05: beyond what all owners may have, the oldest of the owner that has the most go first', async () => {
      const clock = new FakeClock();
      const { store, reopen } = await open({ clock, maxOwnerBytes: 12_000, maxBytes: 15_000 });
      for (const owner of ['bob', 'alice', 'alice', 'alice', 'carol']) {
        await store.save(answer({ owner, text: 'x'.repeat(3_000) }), signal);
        await clock.advance(1);
      }
      await store.save(answer({ owner: 'carol', text: 'x'.repeat(1_000) }), signal);
      const counts = ['bob', 'alice', 'carol'].map(async (owner) => (await reopen().list(owner, 10, signal)).length);
      expect(await Promise.all(counts)).toEqual([1, 2, 2]);
    });

    it('what was just saved stays, also among answers of one time', async () => {
      const { store } = await open({ maxOwnerBytes: 10_000 });
      for (let count = 0; count < 8; count += 1) {
        const saved = await store.save(answer({ text: 'x'.repeat(6_000) }), signal);
        expect((await store.list('alice', 10, signal)).map((one) => one.handle)).toEqual([handleOf(saved)]);
      }
    });

    it('an aborted signal ends every method with its reason', async () => {
      const { store } = await open();
      const aborted = AbortSignal.abort('the reason');
      await expect(store.save(answer(), aborted)).rejects.toBe('the reason');
      await expect(store.load('alice', 'x', aborted)).rejects.toBe('the reason');
      await expect(store.list('alice', 1, aborted)).rejects.toBe('the reason');
    });
  });
}
