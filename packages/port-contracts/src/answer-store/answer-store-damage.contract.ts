import { expect } from 'vitest';
import { declaredDamages, declaredHook } from '../stores/store-features.ts';
import { type AnswerStoreSubject, answer, handleOf, signal } from './answer-store-harness.ts';

/** Answers whose record cannot be read or written, and the answers next to them. */
export function describeAnswerStoreDamage({ proof, open, features }: AnswerStoreSubject): void {
  for (const { damage, feature } of declaredDamages(features)) {
    proof.promise(`an unreadable record (${damage}) is an unknown answer, and the others stay`, async () => {
      const harness = await open();
      const { store, reopen } = harness;
      const damaged = await store.save(answer({ title: 'damaged' }), signal);
      const other = handleOf(await store.save(answer({ title: 'whole' }), signal));
      if (damaged.saved) {
        proof.note(`the harness damages the record of ${damaged.answer.handle}: ${damage}`);
        await declaredHook(harness, 'damage', feature)(damaged.answer, damage);
      }
      expect(await reopen().load('alice', handleOf(damaged), signal)).toBeNull();
      expect((await reopen().list('alice', 10, signal)).map(({ handle }) => handle)).toEqual([other]);
      expect((await reopen().load('alice', other, signal))?.title).toBe('whole');
      expect(await store.save(answer(), signal)).toMatchObject({ saved: true });
    });
  }

  if (!features.failures) {
    return;
  }

  proof.promise('a failed save() returns the reason and leaves the others', async () => {
    const harness = await open();
    const { store, reopen } = harness;
    const before = handleOf(await store.save(answer(), signal));
    const mend = await declaredHook(harness, 'breakWriting', 'failures')();
    proof.note('the harness breaks writing');
    const failed = await store.save(answer(), signal).finally(mend);
    expect(failed).toEqual({ saved: false, detail: expect.stringMatching(/\S/) });
    expect((await reopen().list('alice', 10, signal)).map(({ handle }) => handle)).toEqual([before]);
    expect(await store.load('alice', before, signal)).not.toBeNull();
    expect(await store.save(answer(), signal)).toMatchObject({ saved: true });
  });
}
