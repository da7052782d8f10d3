import { type AnswerStoreMutant, unbounded } from './answer-mutant.ts';

/** What they give back and list. */
export const textMutants: readonly AnswerStoreMutant[] = [
  {
    name: 'cuts-text',
    wrong: 'gives back the first million characters of a text',
    mutate: (right) => ({
      load: async (owner, handle, signal) => {
        const answer = await right.load(owner, handle, signal);
        return answer === null ? null : { ...answer, text: answer.text.slice(0, 1_000_000) };
      },
    }),
  },
  {
    name: 'well-formed-text',
    wrong: 'replaces half a surrogate pair in a text',
    mutate: (right) => ({
      save: (answer, signal) => right.save({ ...answer, text: answer.text.replaceAll('\ud800', '\ufffd') }, signal),
    }),
  },
  {
    name: 'trims-title',
    wrong: 'drops white space around a title',
    mutate: (right) => ({ save: (answer, signal) => right.save({ ...answer, title: answer.title.trim() }, signal) }),
  },
  {
    name: 'loses-end-note',
    wrong: 'loses what is to be said at the end',
    mutate: (right) => ({
      load: async (owner, handle, signal) => {
        const answer = await right.load(owner, handle, signal);
        if (answer === null) {
          return null;
        }
        const { endNote: _, ...rest } = answer;
        return rest;
      },
    }),
  },
  {
    name: 'no-empty-text',
    wrong: 'does not keep an answer without text',
    mutate: (right) => ({
      save: async (answer, signal) =>
        answer.text === '' ? { saved: false, detail: 'nothing to keep' } : right.save(answer, signal),
    }),
  },
  {
    name: 'invents-end-note',
    wrong: 'gives an empty end note where there was none',
    mutate: (right) => ({
      load: async (owner, handle, signal) => {
        const answer = await right.load(owner, handle, signal);
        return answer && { endNote: '', ...answer };
      },
    }),
  },
  {
    name: 'lists-texts',
    wrong: 'lists whole answers',
    mutate: (right) => ({
      list: async (owner, limit, signal) => {
        const listed = await right.list(owner, limit, signal);
        return Promise.all(listed.map(async (one) => ({ ...(await right.load(owner, one.handle, signal)), ...one })));
      },
    }),
  },
  {
    name: 'cuts-title',
    wrong: 'keeps the first word of a title',
    mutate: (right) => ({
      save: (answer, signal) => right.save({ ...answer, title: answer.title.replace(/ .*/s, '') }, signal),
    }),
  },
  {
    name: 'counts-bytes',
    wrong: 'tells the length of a text in bytes instead of characters',
    mutate: (right) => ({
      save: async (answer, signal) => {
        const saved = await right.save(answer, signal);
        const characters = Buffer.byteLength(answer.text);
        return saved.saved ? { saved: true, answer: { ...saved.answer, characters } } : saved;
      },
    }),
  },
  {
    name: 'oldest-first',
    wrong: 'lists the oldest first',
    mutate: (right) => ({
      list: async (owner, limit, signal) => [...(await right.list(owner, unbounded, signal))].reverse().slice(0, limit),
    }),
  },
  {
    name: 'no-list-limit',
    wrong: 'lists one more than the limit',
    mutate: (right) => ({ list: (owner, limit, signal) => right.list(owner, limit + 1, signal) }),
  },
  {
    name: 'zero-lists-all',
    wrong: 'takes a limit of zero for none',
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
