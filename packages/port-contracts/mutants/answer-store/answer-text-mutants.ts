import { type AnswerStoreMutant, unbounded } from './answer-mutant.ts';

/** Mutants of loaded and listed content. */
export const textMutants: readonly AnswerStoreMutant[] = [
  {
    name: 'no-empty-text',
    wrong: 'does not keep an answer without text',
    mutate: (right) => ({
      save: async (answer, signal) =>
        answer.text === '' ? { saved: false, detail: 'nothing to keep' } : right.save(answer, signal),
    }),
  },
  {
    name: 'counts-bytes',
    wrong: 'gives the length of a text in bytes instead of characters',
    mutate: (right) => ({
      save: async (answer, signal) => {
        const saved = await right.save(answer, signal);
        const characters = Buffer.byteLength(answer.text);
        return saved.saved ? { saved: true, answer: { ...saved.answer, characters } } : saved;
      },
    }),
  },
  {
    name: 'zero-lists-all',
    wrong: 'takes a limit of zero for no limit',
    mutate: (right) => ({ list: (owner, limit, signal) => right.list(owner, limit === 0 ? unbounded : limit, signal) }),
  },
  {
    name: 'shuffles-equal-times',
    wrong: 'lists answers of one time in another order each time',
    mutate: (right) => {
      let calls = 0;
      return {
        list: async (owner, limit, signal) => {
          calls += 1;
          const listed = [...(await right.list(owner, limit, signal))];
          return calls % 2 === 0 ? listed.reverse().sort((a, b) => b.createdAtMs - a.createdAtMs) : listed;
        },
      };
    },
  },
];
