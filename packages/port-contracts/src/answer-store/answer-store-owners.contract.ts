import { expect } from 'vitest';
import { ownersAlike } from '../stores/owners-alike.ts';
import { type AnswerStoreSubject, answer, handleOf, signal } from './answer-store-harness.ts';

/** Which answers an owner sees. */
export function describeAnswerStoreOwners({ proof, open }: AnswerStoreSubject): void {
  proof.promise('another owner sees nothing', async () => {
    const { store } = await open();
    const saved = await store.save(answer(), signal);
    expect(await store.load('bob', handleOf(saved), signal)).toBeNull();
    expect(await store.list('bob', 10, signal)).toEqual([]);
  });

  proof.promise('owners that differ in any character are different owners', async () => {
    const { store, reopen } = await open();
    const saved = new Map<string, string>();
    for (const owner of ownersAlike) {
      saved.set(owner, handleOf(await store.save(answer({ owner, text: `of ${owner}` }), signal)));
    }
    for (const owner of ownersAlike) {
      expect((await reopen().list(owner, 100, signal)).map(({ handle }) => handle)).toEqual([saved.get(owner)]);
      const loaded = await Promise.all([...saved.values()].map((handle) => reopen().load(owner, handle, signal)));
      expect(loaded.flatMap((one) => one?.text ?? [])).toEqual([`of ${owner}`]);
    }
  });
}
