import type { ServerLists } from '@gemini-mcp/core/internal';
import type { KeptListsMutant } from './kept-lists-mutant.ts';

const keepingMutants: readonly KeptListsMutant[] = [
  {
    name: 'loads-once',
    wrong: 'gives for ever what it loaded first',
    change: (right) => {
      const first = new Map<string, ServerLists>();
      return {
        load: async (key, signal) => {
          const lists = first.get(key) ?? (await right.load(key, signal));
          if (lists !== null) {
            first.set(key, lists);
          }
          return lists;
        },
      };
    },
  },
  {
    name: 'ten-keys',
    wrong: 'keeps the lists of ten keys',
    change: (right, records) => ({
      save: async (key, lists, signal) => {
        await right.save(key, lists, signal);
        const [oldest = ''] = records.values.keys();
        records.values.delete(records.values.size > 10 ? oldest : '-');
      },
    }),
  },
  {
    name: 'loses-updates',
    wrong: 'writes all that it read before, with what is saved',
    change: (_, records) => ({
      save: async (key, lists) => {
        const read = new Map(records.values);
        await Promise.resolve();
        records.values.clear();
        for (const [each, value] of read.set(key, lists)) {
          records.values.set(each, value);
        }
      },
    }),
  },
  {
    name: 'no-large-lists',
    wrong: 'keeps no lists of more than a million characters',
    change: (right) => ({
      save: async (key, lists, signal) =>
        JSON.stringify(lists).length > 1_000_000 ? undefined : right.save(key, lists, signal),
    }),
  },
  {
    name: 'load-hangs',
    wrong: 'never answers',
    change: () => ({ load: () => new Promise(() => undefined) }),
    hangs: true,
  },
];

const faultMutants: readonly KeptListsMutant[] = [
  {
    name: 'keeps-damaged',
    wrong: 'lets a record that cannot be read stay in the place of what is saved',
    change: (right, records) => ({
      save: async (key, lists, signal) => (records.damaged.has(key) ? undefined : right.save(key, lists, signal)),
    }),
  },
  {
    name: 'rejects-unknown',
    wrong: 'rejects where nothing was saved',
    change: (right) => ({
      load: async (key, signal) => {
        const lists = await right.load(key, signal);
        if (lists === null) {
          throw new Error('no such file');
        }
        return lists;
      },
    }),
  },
  {
    name: 'failed-save-clears',
    wrong: 'loses the others where it cannot write',
    change: (right, records) => ({
      save: async (key, lists, signal) => {
        if (records.isBroken) {
          records.values.clear();
        }
        return right.save(key, lists, signal);
      },
    }),
  },
  {
    name: 'load-rejects-on-abort',
    wrong: 'rejects to load where it is aborted',
    change: (right) => ({
      load: async (key, signal) => {
        signal.throwIfAborted();
        return right.load(key, signal);
      },
    }),
  },
  {
    name: 'aborted-save-clears',
    wrong: 'loses what was there where a save is aborted',
    change: (right, records) => ({
      save: async (key, lists, signal) => {
        await right.save(key, lists, signal);
        records.values.delete(signal.aborted ? key : '-');
      },
    }),
  },
  {
    name: 'save-leaves-listener',
    wrong: 'leaves a listener on the signal of a save',
    change: (right) => ({
      save: (key, lists, signal) => {
        signal.addEventListener('abort', () => undefined);
        return right.save(key, lists, signal);
      },
    }),
  },
];

/** What they keep, and what they do where something fails. */
export const keptListsMutants: readonly KeptListsMutant[] = [...keepingMutants, ...faultMutants];
