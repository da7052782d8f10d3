import type { AnswerStore, AnswerSummary } from '@gemini-mcp/core';
import { type AnswerStoreMutant, unbounded } from './answer-mutant.ts';

/** Mutants of how long and how many answers a store keeps. */
export const boundMutants: readonly AnswerStoreMutant[] = [
  {
    name: 'reading-renews',
    wrong: 'extends the life of an answer when it is read',
    mutate: (right, { clock, expiryMs }) => {
      const kept = new Map<
        string,
        { readonly answer: Awaited<ReturnType<AnswerStore['load']>>; readonly atMs: number }
      >();
      return {
        load: async (owner, handle, signal) => {
          const known = kept.get(`${owner} ${handle}`);
          const isFresh = known !== undefined && clock.now() - known.atMs < expiryMs;
          const answer = (await right.load(owner, handle, signal)) ?? (isFresh ? known.answer : null);
          if (answer !== null && clock.now() - answer.createdAtMs < expiryMs - 1) {
            kept.set(`${owner} ${handle}`, { answer, atMs: clock.now() });
          }
          return answer;
        },
      };
    },
  },
  {
    name: 'forgets-after-reading',
    wrong: 'gives an answer once',
    mutate: (right) => {
      const read = new Set<string>();
      return {
        load: async (owner, handle, signal) => {
          const answer = read.has(handle) ? null : await right.load(owner, handle, signal);
          if (answer !== null) {
            read.add(handle);
          }
          return answer;
        },
      };
    },
  },
  {
    name: 'shared-owner-bound',
    wrong: 'holds the bound of an owner against all owners together',
    changeBounds: ({ maxOwnerBytes }) => ({ maxBytes: maxOwnerBytes }),
  },
  {
    name: 'just-saved-goes',
    wrong: 'drops the answer it just saved if others of the same time fill the store',
    changeBounds: () => ({ maxOwnerBytes: unbounded }),
    mutate: (right, { maxOwnerBytes }) => {
      const hidden = new Set<string>();
      return {
        save: async (answer, signal) => {
          const kept = (await right.list(answer.owner, unbounded, signal)).filter(({ handle }) => !hidden.has(handle));
          const result = await right.save(answer, signal);
          const used = kept.reduce((sum, { characters }) => sum + characters, answer.text.length);
          if (result.saved && used > maxOwnerBytes) {
            const oldest = kept.findLast(({ createdAtMs }) => createdAtMs < result.answer.createdAtMs);
            hidden.add((oldest ?? result.answer).handle);
          }
          return result;
        },
        list: async (owner, limit, signal) =>
          (await right.list(owner, unbounded, signal)).filter(({ handle }) => !hidden.has(handle)).slice(0, limit),
      };
    },
  },
  {
    name: 'lists-forgotten',
    wrong: 'lists answers that it no longer loads',
    mutate: (right) => {
      const saved: AnswerSummary[] = [];
      return {
        save: async (answer, signal) => {
          const result = await right.save(answer, signal);
          saved.unshift(...(result.saved ? [result.answer] : []));
          return result;
        },
        list: async (owner, limit, signal) => {
          const listed = await right.list(owner, limit, signal);
          const forgotten = saved.filter(
            (one) => one.owner === owner && listed.every(({ handle }) => handle !== one.handle),
          );
          return [...listed, ...forgotten].slice(0, limit);
        },
      };
    },
  },
  {
    name: 'no-total-bound',
    wrong: 'keeps any number of answers of all owners together',
    changeBounds: () => ({ maxBytes: unbounded }),
  },
];
