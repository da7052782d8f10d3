import type { AnswerStoreMutant } from './answer-mutant.ts';

/** Mutants of records that cannot be read or written. */
export const damageMutants: readonly AnswerStoreMutant[] = [
  {
    name: 'damage-empties-list',
    wrong: 'lists nothing of an owner that has a damaged record',
    mutate: (right, _bounds, whole) => ({
      list: async (owner, limit, signal) => {
        const readable = await right.list(owner, limit, signal);
        return readable.length < (await whole.list(owner, limit, signal)).length ? [] : readable;
      },
    }),
  },
  {
    name: 'failed-save-told-as-saved',
    wrong: 'reports a failed save as saved',
    mutate: (right, { clock }) => ({
      save: async (answer, signal) => {
        const saved = await right.save(answer, signal);
        const { owner, title, text } = answer;
        const told = { handle: 'never0saved', owner, title, createdAtMs: clock.now(), characters: text.length };
        return saved.saved ? saved : { saved: true, answer: told };
      },
    }),
  },
];
