import { FakeClock } from '@gemini-mcp/core/testing';
import { expect } from 'vitest';
import { type AnswerStoreSubject, answer, handleOf, hourMs, signal } from './answer-store-harness.ts';

/** How long and how many answers are kept. */
export function describeAnswerStoreBounds({ proof, open }: AnswerStoreSubject): void {
  proof.promise('an answer is unknown once it has expired', async () => {
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

  proof.promise('reading an answer does not extend its life', async () => {
    const clock = new FakeClock();
    const { store } = await open({ clock });
    const handle = handleOf(await store.save(answer(), signal));
    await clock.advance(hourMs / 2);
    await store.load('alice', handle, signal);
    await store.list('alice', 1, signal);
    await clock.advance(hourMs / 2);
    expect(await store.load('alice', handle, signal)).toBeNull();
  });

  proof.promise('an answer that is too large is refused with a reason', async () => {
    const { store } = await open({ maxAnswerBytes: 4_000 });
    expect(await store.save(answer({ text: 'é'.repeat(1_500) }), signal)).toMatchObject({ saved: true });
    expect(await store.save(answer({ text: 'é'.repeat(2_001) }), signal)).toEqual({
      saved: false,
      detail: expect.stringMatching(/\S/),
    });
    expect(await store.list('alice', 10, signal)).toHaveLength(1);
  });

  proof.promise("an owner's oldest answers are removed first, and no other owner's", async () => {
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

  proof.promise(
    'SHARE-05: when all owners together have too much, the oldest answers of the largest owner are removed',
    async () => {
      const clock = new FakeClock();
      const { store, reopen } = await open({ clock, maxOwnerBytes: 12_000, maxBytes: 15_000 });
      for (const owner of ['bob', 'alice', 'alice', 'alice', 'carol']) {
        await store.save(answer({ owner, text: 'x'.repeat(3_000) }), signal);
        await clock.advance(1);
      }
      await store.save(answer({ owner: 'carol', text: 'x'.repeat(1_000) }), signal);
      const counts = ['bob', 'alice', 'carol'].map(async (owner) => (await reopen().list(owner, 10, signal)).length);
      expect(await Promise.all(counts)).toEqual([1, 2, 2]);
    },
  );

  proof.promise('an answer that was just saved stays, also among answers of the same time', async () => {
    const { store } = await open({ maxOwnerBytes: 10_000 });
    for (let count = 0; count < 8; count += 1) {
      const saved = await store.save(answer({ text: 'x'.repeat(6_000) }), signal);
      expect((await store.list('alice', 10, signal)).map((one) => one.handle)).toEqual([handleOf(saved)]);
    }
  });
}
