import { randomUUID } from 'node:crypto';
import { type AnswerStore, InMemoryAnswerStore } from '@gemini-mcp/core';
import { describeAnswerStoreContract } from '../src/answer-store.contract.ts';
import { boundMutants } from './answer-bound-mutants.ts';
import { callMutants } from './answer-call-mutants.ts';
import { ownerMutants } from './answer-owner-mutants.ts';
import { textMutants } from './answer-text-mutants.ts';
import { proveMutants } from './prove-mutants.ts';

proveMutants([...ownerMutants, ...boundMutants, ...textMutants, ...callMutants], (about, mutant) => {
  describeAnswerStoreContract({
    ...about,
    create: async (bounds) => {
      const createHandle = (): string => randomUUID().replaceAll('-', '');
      const right = new InMemoryAnswerStore({ ...bounds, ...mutant?.changeBounds?.(bounds), createHandle });
      const changed = mutant?.mutate?.(right, bounds) ?? {};
      const store: AnswerStore = {
        save: changed.save ?? ((answer, signal) => right.save(answer, signal)),
        load: changed.load ?? ((owner, handle, signal) => right.load(owner, handle, signal)),
        list: changed.list ?? ((owner, limit, signal) => right.list(owner, limit, signal)),
      };
      return { store, reopen: () => store, dispose: async () => undefined };
    },
  });
});
