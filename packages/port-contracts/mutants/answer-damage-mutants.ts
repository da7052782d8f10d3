import type { AnswerStoreMutant } from './answer-mutant.ts';

/** What they do where a record cannot be read or written. */
export const damageMutants: readonly AnswerStoreMutant[] = [
  {
    name: 'loads-damaged',
    wrong: 'loads what is left of a damaged record',
    mutate: (_right, _bounds, whole) => ({ load: (owner, handle, signal) => whole.load(owner, handle, signal) }),
  },
  {
    name: 'lists-damaged',
    wrong: 'lists an answer whose record is damaged',
    mutate: (_right, _bounds, whole) => ({ list: (owner, limit, signal) => whole.list(owner, limit, signal) }),
  },
  {
    name: 'damage-rejects-load',
    wrong: 'rejects where a record is damaged',
    mutate: (right, _bounds, whole) => ({
      load: async (owner, handle, signal) => {
        const loaded = await right.load(owner, handle, signal);
        if (loaded === null && (await whole.load(owner, handle, signal)) !== null) {
          throw new SyntaxError('Unexpected end of JSON input');
        }
        return loaded;
      },
    }),
  },
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
    name: 'failed-save-rejects',
    wrong: 'rejects where a save fails',
    mutate: (right) => ({
      save: async (answer, signal) => {
        const saved = await right.save(answer, signal);
        if (!saved.saved) {
          throw new Error(saved.detail);
        }
        return saved;
      },
    }),
  },
  {
    name: 'failed-save-told-as-saved',
    wrong: 'says that it saved where a save fails',
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
