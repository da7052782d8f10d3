import type { SessionStoreMutant } from './session-mutant.ts';

/** Mutants of unreadable records. */
export const sessionDamageMutants: readonly SessionStoreMutant[] = [
  {
    name: 'damage-hides-all',
    wrong: 'loads nothing while any record is damaged',
    mutate: ({ right, whole }) => ({
      load: async (owner, id, signal) => {
        const loaded = await right.load(owner, id, signal);
        const all = await whole.list('alice', 100, signal);
        return all.length > (await right.list('alice', 100, signal)).length ? null : loaded;
      },
    }),
  },
];
