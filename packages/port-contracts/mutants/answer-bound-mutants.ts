import type { AnswerStore, AnswerSummary } from '@gemini-mcp/core';
import { type AnswerStoreMutant, unbounded } from './answer-mutant.ts';

/** How long and how many answers they keep. */
export const boundMutants: readonly AnswerStoreMutant[] = [
  {
    name: 'reading-renews',
    wrong: 'lets an answer live longer that is read',
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
    wrong: 'drops what was just saved where answers of one time have no room',
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
    wrong: 'lists answers that it does not load any more',
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
  { name: 'no-total-bound', wrong: 'keeps any amount of all owners', changeBounds: () => ({ maxBytes: unbounded }) },
];
