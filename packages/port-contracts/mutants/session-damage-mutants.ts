import type { SessionStoreMutant } from './session-mutant.ts';

/** What they do with a record that cannot be read. */
export const sessionDamageMutants: readonly SessionStoreMutant[] = [
  {
    name: 'damage-hides-all',
    wrong: 'loads nothing as long as any record is damaged',
    mutate: ({ right, whole }) => ({
      load: async (owner, id, signal) => {
        const loaded = await right.load(owner, id, signal);
        const all = await whole.list('alice', 100, signal);
        return all.length > (await right.list('alice', 100, signal)).length ? null : loaded;
      },
    }),
  },
];
