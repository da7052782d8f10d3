import type { AnswerStore, AnswerSummary } from '@gemini-mcp/core';
import { type AnswerStoreMutant, unbounded } from './answer-mutant.ts';

/** How long and how many answers they keep. */
export const boundMutants: readonly AnswerStoreMutant[] = [
  {
    name: 'forgets-early',
    wrong: 'forgets an answer a millisecond too early',
    changeBounds: ({ expiryMs }) => ({ expiryMs: expiryMs - 1 }),
  },
  {
    name: 'forgets-late',
    wrong: 'keeps an answer a millisecond too long',
    changeBounds: ({ expiryMs }) => ({ expiryMs: expiryMs + 1 }),
  },
  { name: 'never-forgets', wrong: 'keeps answers for ever', changeBounds: () => ({ expiryMs: unbounded }) },
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
    name: 'no-answer-bound',
    wrong: 'keeps an answer of any size',
    changeBounds: () => ({ maxAnswerBytes: unbounded }),
  },
  {
    name: 'bound-in-characters',
    wrong: 'holds the bound of one answer against characters',
    changeBounds: () => ({ maxAnswerBytes: unbounded }),
    mutate: (right, { maxAnswerBytes }) => ({
      save: async (answer, signal) =>
        answer.text.length > maxAnswerBytes ? { saved: false, detail: 'too large' } : right.save(answer, signal),
    }),
  },
  {
    name: 'cuts-large-answer',
    wrong: 'keeps the beginning of an answer that is too large',
    mutate: (right, { maxAnswerBytes }) => ({
      save: (answer, signal) => right.save({ ...answer, text: answer.text.slice(0, maxAnswerBytes / 4) }, signal),
    }),
  },
  { name: 'no-owner-bound', wrong: 'keeps any amount of an owner', changeBounds: () => ({ maxOwnerBytes: unbounded }) },
  {
    name: 'owner-bound-refuses',
    wrong: 'refuses a new answer where an owner has no more room, instead of dropping the oldest',
    changeBounds: () => ({ maxOwnerBytes: unbounded }),
    mutate: (right, { maxOwnerBytes }) => ({
      save: async (answer, signal) => {
        const kept = await right.list(answer.owner, unbounded, signal);
        const used = kept.reduce((sum, { characters }) => sum + characters, answer.text.length);
        return used > maxOwnerBytes ? { saved: false, detail: 'no room' } : right.save(answer, signal);
      },
    }),
  },
  {
    name: 'shared-owner-bound',
    wrong: 'holds the bound of an owner against all owners together',
    changeBounds: ({ maxOwnerBytes }) => ({ maxBytes: maxOwnerBytes }),
  },
  {
    name: 'oldest-of-all-goes',
    wrong: 'when all owners together have too much, drops the oldest answer of all',
    changeBounds: () => ({ maxBytes: unbounded }),
    mutate: (right, { maxBytes }) => {
      const hidden = new Set<string>();
      const saved: AnswerSummary[] = [];
      return {
        save: async (answer, signal) => {
          const result = await right.save(answer, signal);
          saved.push(...(result.saved ? [result.answer] : []));
          while (saved.reduce((sum, { characters }) => sum + characters + 300, 0) > maxBytes) {
            hidden.add(saved.shift()?.handle ?? '');
          }
          return result;
        },
        list: async (owner, limit, signal) =>
          (await right.list(owner, unbounded, signal)).filter(({ handle }) => !hidden.has(handle)).slice(0, limit),
      };
    },
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
  {
    name: 'refusal-without-words',
    wrong: 'does not say why it keeps no large answer',
    mutate: (right) => ({
      save: async (answer, signal) => {
        const saved = await right.save(answer, signal);
        return saved.saved ? saved : { saved: false, detail: '' };
      },
    }),
  },
  { name: 'no-total-bound', wrong: 'keeps any amount of all owners', changeBounds: () => ({ maxBytes: unbounded }) },
];
