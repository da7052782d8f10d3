import type { ToolPin } from '@gemini-mcp/core/internal';
import { adding, giving, type KeptPinsMutant, lastOf } from './kept-pins-mutant.ts';

const textMutants: readonly KeptPinsMutant[] = [
  giving('loses-definitions', 'loses the definitions', (pins) => pins.map((pin) => ({ ...pin, definition: '' }))),
  giving('loses-digests', 'gives the digest of the first pin for all', (pins) =>
    pins.map((pin) => ({ ...pin, digest: pins[0]?.digest ?? '' })),
  ),
  giving('cuts-definitions', 'keeps 100,000 characters of a definition', (pins) =>
    pins.map((pin) => ({ ...pin, definition: pin.definition.slice(0, 100_000) })),
  ),
  giving('trims-definitions', 'drops white space around a definition', (pins) =>
    pins.map((pin) => ({ ...pin, definition: pin.definition.trim() })),
  ),
  giving('well-formed-text', 'replaces half a surrogate pair in a definition', (pins) =>
    pins.map((pin) => ({ ...pin, definition: Buffer.from(pin.definition).toString() })),
  ),
  giving('no-empty-definitions', 'drops pins with nothing in their definitions', (pins) =>
    pins.filter(({ definition }) => definition !== ''),
  ),
  giving('tools-without-case', 'takes tools for one that differ only by case', (pins) =>
    lastOf(pins, (tool) => tool.toLowerCase()),
  ),
  giving('tools-trimmed', 'takes tools for one that differ only by white space', (pins) =>
    lastOf(pins, (tool) => tool.trim()),
  ),
  giving('tools-cut', 'takes tools for one that begin with the same 64 characters', (pins) =>
    lastOf(pins, (tool) => tool.slice(0, 64)),
  ),
  giving('tools-composed', 'takes tools for one whose accents are composed in different ways', (pins) =>
    lastOf(pins, (tool) => tool.normalize('NFC')),
  ),
  giving('tools-of-language', 'drops tools that are called as members that objects have', (pins) =>
    pins.filter(({ tool }) => !(tool in {})),
  ),
  giving('nameless-tools', 'drops a tool whose name is empty', (pins) => pins.filter(({ tool }) => tool !== '')),
  giving('few-pins', 'gives twenty pins', (pins) => pins.slice(0, 20)),
  giving('empty-is-none', 'takes a server without tools for one that was never seen', (pins) =>
    pins.length === 0 ? null : pins,
  ),
];

const addingMutants: readonly KeptPinsMutant[] = [
  { name: 'forgets', wrong: 'keeps pins as long as it lives', forgets: true },
  adding('first-stays', 'keeps the first pin of a tool', (pins, before) =>
    pins.filter(({ tool }) => !before?.some((one) => one.tool === tool)),
  ),
  adding('first-digest-stays', 'keeps the digest that a tool had first', (pins, before) =>
    pins.map((pin) => ({ ...pin, digest: before?.find(({ tool }) => tool === pin.tool)?.digest ?? pin.digest })),
  ),
  adding('one-at-a-time', 'adds the first of several pins', (pins) => pins.slice(0, 1)),
  adding('only-first-sight', 'adds nothing to what is there', (pins, before) => (before === null ? pins : [])),
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
    name: 'adds-twice',
    wrong: 'keeps the earlier pin of a tool and the later',
    change: (_, records) => ({
      add: async (key, pins) =>
        records.write(key, [...(records.read(key) ?? []), ...pins]) ? null : 'The disk is full.',
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
    name: 'no-large-pins',
    wrong: 'refuses what has more than a million characters',
    change: (right) => ({
      add: async (key, pins, signal) =>
        JSON.stringify(pins).length > 1_000_000 ? 'They are too large.' : right.add(key, pins, signal),
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
  {
    name: 'says-the-count',
    wrong: 'says how many pins it kept, as if that were a problem',
    change: (right) => ({
      add: async (key, pins, signal) => (await right.add(key, pins, signal)) ?? `${pins.length} pins are kept`,
    }),
  },
];

const loadingMutants: readonly KeptPinsMutant[] = [
  {
    name: 'unknown-is-empty',
    wrong: 'gives no pins, and not null, for a server that was never seen',
    change: (right) => ({ load: async (key, signal) => (await right.load(key, signal)) ?? [] }),
  },
  {
    name: 'any-pins',
    wrong: 'gives the pins of another key where there are none',
    change: (right, records) => ({
      load: async (key, signal) => (await right.load(key, signal)) ?? [...records.values.values()][0] ?? null,
    }),
  },
  {
    name: 'gives-once',
    wrong: 'gives pins once',
    change: (right, records) => ({
      load: async (key, signal) => {
        const pins = await right.load(key, signal);
        records.values.delete(key);
        return pins;
      },
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
