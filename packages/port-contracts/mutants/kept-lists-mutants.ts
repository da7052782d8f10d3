import type { ServerLists } from '@gemini-mcp/core/internal';
import type { KeptListsMutant } from './kept-lists-mutant.ts';

const keepingMutants: readonly KeptListsMutant[] = [
  { name: 'forgets', wrong: 'keeps lists as long as it lives', forgets: true },
  {
    name: 'gives-once',
    wrong: 'gives lists once',
    change: (right, records) => ({
      load: async (key, signal) => {
        const lists = await right.load(key, signal);
        records.values.delete(key);
        return lists;
      },
    }),
  },
  {
    name: 'first-stays',
    wrong: 'keeps what was saved first',
    change: (right) => ({
      save: async (key, lists, signal) => {
        if ((await right.load(key, signal)) === null) {
          await right.save(key, lists, signal);
        }
      },
    }),
  },
  {
    name: 'newest-stays',
    wrong: 'keeps what was taken last, and not what was saved last',
    change: (right) => ({
      save: async (key, lists, signal) => {
        const before = await right.load(key, signal);
        if (before === null || before.takenAtMs <= lists.takenAtMs) {
          await right.save(key, lists, signal);
        }
      },
    }),
  },
  {
    name: 'merges',
    wrong: 'adds the tools that are saved to those that are there',
    change: (right) => ({
      save: async (key, lists, signal) => {
        const before = (await right.load(key, signal))?.tools ?? [];
        await right.save(key, { ...lists, tools: [...before, ...lists.tools] }, signal);
      },
    }),
  },
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
    name: 'any-lists',
    wrong: 'gives the lists of another key where there are none',
    change: (right, records) => ({
      load: async (key, signal) => (await right.load(key, signal)) ?? [...records.values.values()][0] ?? null,
    }),
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
    name: 'gives-damaged',
    wrong: 'gives what cannot be read',
    change: (_, records) => ({ load: async (key) => records.values.get(key) ?? null }),
  },
  {
    name: 'damage-rejects',
    wrong: 'rejects where a record cannot be read',
    change: (right, records) => ({
      load: async (key, signal) => {
        if (records.damaged.has(key)) {
          throw new SyntaxError('Unexpected end of JSON input');
        }
        return right.load(key, signal);
      },
    }),
  },
  {
    name: 'damage-empties',
    wrong: 'gives nothing at all where one record cannot be read',
    change: (right, records) => ({
      load: async (key, signal) => (records.damaged.size > 0 ? null : right.load(key, signal)),
    }),
  },
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
    name: 'failed-save-rejects',
    wrong: 'rejects where it cannot write',
    change: (right, records) => ({
      save: async (key, lists, signal) => {
        if (records.isBroken) {
          throw new Error('no space left');
        }
        return right.save(key, lists, signal);
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
    name: 'save-rejects-on-abort',
    wrong: 'rejects to save where it is aborted',
    change: (right) => ({
      save: async (key, lists, signal) => {
        signal.throwIfAborted();
        return right.save(key, lists, signal);
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
    name: 'load-leaves-listener',
    wrong: 'leaves a listener on the signal of a load',
    change: (right) => ({
      load: (key, signal) => {
        signal.addEventListener('abort', () => undefined);
        return right.load(key, signal);
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
