import type { RecordStoreMutant } from './record-store-mutant.ts';

/** Mutants of puts, deletions and watches. */
export const recordVersionMutants: readonly RecordStoreMutant[] = [
  {
    name: 'newer-wins',
    wrong: 'puts at any version that is not older',
    change: ({ right }) => ({
      put: async (record, signal) => {
        const found = await right.get(record, signal);
        const version = found === null || found === 'damaged' ? 0 : found.version;
        return right.put({ ...record, expectedVersion: Math.min(record.expectedVersion, version || Infinity) }, signal);
      },
    }),
  },
  {
    name: 'looks-before-it-puts',
    wrong: 'compares the version first and puts a moment later',
    change: ({ right }) => ({
      put: async (record, signal) => {
        const before = await right.get(record, signal);
        const version = before === null || before === 'damaged' ? 0 : before.version;
        const saved = await right.put(record, signal);
        if (saved.saved || saved.reason !== 'conflict' || version !== record.expectedVersion) {
          return saved;
        }
        const now = await right.get(record, signal);
        return now === null || now === 'damaged'
          ? saved
          : right.put({ ...record, expectedVersion: now.version }, signal);
      },
    }),
  },
  {
    name: 'shows-half',
    wrong: 'shows the first half of a text while it is put',
    change: ({ right, memory }) => ({
      put: async (record, signal) => {
        signal.throwIfAborted();
        memory.set(record.key, 1);
        await Promise.resolve();
        const saved = await right.put(record, signal);
        memory.delete(record.key);
        return saved;
      },
      get: async (place, signal) => {
        const isWhole = !memory.has(place.key);
        const found = await right.get(place, signal);
        return isWhole || found === null || found === 'damaged' ? found : { ...found, text: found.text.slice(1) };
      },
    }),
  },
  {
    name: 'deletes-without-looking',
    wrong: 'reports the record as found to each of two concurrent deletions',
    change: ({ right }) => ({
      delete: async (place, signal) => {
        const before = await right.get(place, signal);
        const deleted = await right.delete(place, signal);
        return before === null || deleted.deleted || deleted.reason === 'unavailable' ? deleted : { deleted: true };
      },
    }),
  },
  {
    name: 'watches-from-now',
    wrong: 'waits for a change although a newer version exists already',
    hangs: true,
    change: ({ right }) => ({
      watch: async (place, _, signal) => {
        const found = await right.get(place, signal);
        await right.watch(place, found === null || found === 'damaged' ? 0 : found.version, signal);
      },
    }),
  },
  {
    name: 'watches-the-owner',
    wrong: 'ends a watch when another record of the owner changes',
    change: ({ right }) => ({
      watch: async (place, version, signal) => {
        const other = { ...place, key: `other-${version}` };
        await Promise.race([right.watch(place, version, signal), right.watch(other, 0, signal)]);
      },
    }),
  },
  {
    name: 'watch-leaves-listener',
    wrong: 'leaves a listener on the signal of a watch',
    change: ({ right }) => ({
      watch: (place, version, signal) => {
        signal.addEventListener('abort', () => undefined);
        return right.watch(place, version, signal);
      },
    }),
  },
];
