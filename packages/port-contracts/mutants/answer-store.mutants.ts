import { randomUUID } from 'node:crypto';
import { AnswerRecords, type AnswerStore } from '@gemini-mcp/core';
import { describeAnswerStoreContract } from '../src/answer-store/answer-store.contract.ts';
import type { AnswerStoreBounds, AnswerStoreHarness } from '../src/answer-store/answer-store-harness.ts';
import { allStoreFeatures } from '../src/stores/store-features.ts';
import { boundMutants } from './answer-store/answer-bound-mutants.ts';
import { callMutants } from './answer-store/answer-call-mutants.ts';
import { damageMutants } from './answer-store/answer-damage-mutants.ts';
import type { AnswerStoreMutant } from './answer-store/answer-mutant.ts';
import { ownerMutants } from './answer-store/answer-owner-mutants.ts';
import { textMutants } from './answer-store/answer-text-mutants.ts';
import { BreakableAnswerStore } from './answer-store/breakable-answer-store.ts';
import { proveMutants } from './prove-mutants.ts';

function harnessOf(bounds: AnswerStoreBounds, mutant: AnswerStoreMutant | null): AnswerStoreHarness {
  const createHandle = (): string => randomUUID().replaceAll('-', '');
  const openWhole = (): AnswerStore =>
    new AnswerRecords({ ...bounds, ...mutant?.changeBounds?.(bounds), createHandle });
  const whole = openWhole();
  const right = new BreakableAnswerStore(whole);
  const changed = mutant?.mutate?.(right, bounds, whole) ?? {};
  const store: AnswerStore = {
    save: changed.save ?? ((answer, signal) => right.save(answer, signal)),
    load: changed.load ?? ((owner, handle, signal) => right.load(owner, handle, signal)),
    list: changed.list ?? ((owner, limit, signal) => right.list(owner, limit, signal)),
  };
  return {
    store,
    reopen: () => (mutant?.forgets ? openWhole() : store),
    breakWriting: async () => {
      const mend = right.breakWriting();
      return async () => mend();
    },
    damage: async (answer) => right.damage(answer),
    dispose: async () => undefined,
  };
}

const mutants = [...ownerMutants, ...boundMutants, ...textMutants, ...damageMutants, ...callMutants];

proveMutants(mutants, (about, mutant) => {
  describeAnswerStoreContract({
    ...about,
    features: allStoreFeatures,
    create: async (bounds) => harnessOf(bounds, mutant),
  });
});
