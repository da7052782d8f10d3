import type { ToolPin } from '@gemini-mcp/core/internal';
import { type KeptPinsMutant, lastOf } from './kept-pins-mutant.ts';

const textMutants: readonly KeptPinsMutant[] = [];

const addingMutants: readonly KeptPinsMutant[] = [
  {
    name: 'replaces-all',
    wrong: 'puts what is added in the place of all pins',
    change: (right, records) => ({
      add: (key, pins, signal) => {
        records.values.delete(key);
        return right.add(key, pins, signal);
      },
    }),
  },
  {
    name: 'loses-updates',
    wrong: 'writes all that it read before, with what is added',
    change: (right, records) => ({
      add: async (key, pins) => {
        const read: readonly ToolPin[] = records.read(key) ?? [];
        await right.load(key, new AbortController().signal);
        return records.write(
          key,
          lastOf([...read, ...pins], (tool) => tool),
        )
          ? null
          : 'The disk is full.';
      },
    }),
  },
  {
    name: 'nothing-to-add',
    wrong: 'keeps nothing of a server without tools',
    change: (right) => ({
      add: async (key, pins, signal) => (pins.length === 0 ? null : right.add(key, pins, signal)),
    }),
  },
  {
    name: 'ten-keys',
    wrong: 'keeps the pins of ten keys',
    change: (right, records) => ({
      add: async (key, pins, signal) => {
        const problem = await right.add(key, pins, signal);
        const [oldest = ''] = records.values.keys();
        records.values.delete(records.values.size > 10 ? oldest : '-');
        return problem;
      },
    }),
  },
];

const loadingMutants: readonly KeptPinsMutant[] = [
  {
    name: 'any-pins',
    wrong: 'gives the pins of another key where there are none',
    change: (right, records) => ({
      load: async (key, signal) => (await right.load(key, signal)) ?? [...records.values.values()][0] ?? null,
    }),
  },
  {
    name: 'loads-once',
    wrong: 'gives for ever what it loaded first',
    change: (right) => {
      const first = new Map<string, readonly ToolPin[]>();
      return {
        load: async (key, signal) => {
          const pins = first.get(key) ?? (await right.load(key, signal));
          first.set(key, pins ?? []);
          return pins;
        },
      };
    },
  },
  {
    name: 'load-hangs',
    wrong: 'never answers',
    change: () => ({ load: () => new Promise(() => undefined) }),
    hangs: true,
  },
];

/** What they lose of pins, and what they do where nothing fails. */
export const keptPinsMutants: readonly KeptPinsMutant[] = [...textMutants, ...addingMutants, ...loadingMutants];
