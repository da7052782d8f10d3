import type { SessionStoreMutant } from './session-mutant.ts';

/** What they do with a record that cannot be read. */
export const sessionDamageMutants: readonly SessionStoreMutant[] = [
  {
    name: 'loads-damaged',
    wrong: 'loads what is left of a damaged record',
    mutate: ({ whole }) => ({ load: (owner, id, signal) => whole.load(owner, id, signal) }),
  },
  {
    name: 'lists-damaged',
    wrong: 'lists a session whose record is damaged',
    mutate: ({ whole }) => ({ list: (owner, limit, signal) => whole.list(owner, limit, signal) }),
  },
  {
    name: 'damage-rejects-load',
    wrong: 'rejects where a record is damaged',
    mutate: ({ right, whole }) => ({
      load: async (owner, id, signal) => {
        const loaded = await right.load(owner, id, signal);
        if (loaded === null && (await whole.load(owner, id, signal)) !== null) {
          throw new SyntaxError('Unexpected end of JSON input');
        }
        return loaded;
      },
    }),
  },
  {
    name: 'damage-empties-list',
    wrong: 'lists nothing of an owner that has a damaged record',
    mutate: ({ right, whole }) => ({
      list: async (owner, limit, signal) => {
        const readable = await right.list(owner, limit, signal);
        return readable.length < (await whole.list(owner, limit, signal)).length ? [] : readable;
      },
    }),
  },
  {
    name: 'damage-hides-owner',
    wrong: 'does not name an owner that has a damaged record',
    mutate: ({ right, whole }) => ({
      owners: async (signal) => {
        const owners = await right.owners(signal);
        const isWhole = await Promise.all(
          owners.map(async (owner) => {
            const readable = await right.list(owner, 100, signal);
            return readable.length === (await whole.list(owner, 100, signal)).length;
          }),
        );
        return owners.filter((_, index) => isWhole[index]);
      },
    }),
  },
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
