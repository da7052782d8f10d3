import { keyOf, type SessionStoreMutant } from './session-mutant.ts';

/** Mutants of deletions, failed writes and unreadable records. */
export const sessionDeletingMutants: readonly SessionStoreMutant[] = [
  {
    name: 'deletes-the-unknown',
    wrong: 'says that it deleted an unknown session',
    mutate: ({ right }) => ({
      delete: async (owner, id, signal) => {
        const deleted = await right.delete(owner, id, signal);
        return !deleted.deleted && deleted.reason === 'unknown' ? { deleted: true } : deleted;
      },
    }),
  },
  {
    name: 'deletes-all',
    wrong: "deletes the owner's other sessions as well",
    mutate: ({ right }) => ({
      delete: async (owner, id, signal) => {
        const deleted = await right.delete(owner, id, signal);
        const others = deleted.deleted ? await right.list(owner, 100, signal) : [];
        await Promise.all(others.map((other) => right.delete(owner, other.id, signal)));
        return deleted;
      },
    }),
  },
  {
    name: 'deletes-twice',
    wrong: 'reports the same session as deleted to two concurrent deletions',
    mutate: ({ right }) => ({
      delete: async (owner, id, signal) => {
        const known = await right.load(owner, id, signal);
        const deleted = await right.delete(owner, id, signal);
        return known === null ? deleted : { deleted: true };
      },
    }),
  },
  {
    name: 'deletes-here-alone',
    wrong: 'hides a deleted session that other instances still see',
    mutate: ({ right }) => {
      const hidden = new Set<string>();
      return {
        load: async (owner, id, signal) => (hidden.has(keyOf({ owner, id })) ? null : right.load(owner, id, signal)),
        list: async (owner, limit, signal) =>
          (await right.list(owner, limit, signal)).filter(({ id }) => !hidden.has(keyOf({ owner, id }))),
        delete: async (owner, id, signal) => {
          const known = hidden.has(keyOf({ owner, id })) ? null : await right.load(owner, id, signal);
          hidden.add(keyOf({ owner, id }));
          return known === null ? { deleted: false, reason: 'unknown' } : { deleted: true };
        },
      };
    },
  },
  {
    name: 'failed-save-loses-the-old',
    wrong: 'loses the session whose save failed',
    mutate: ({ right, whole }) => ({
      save: async (session, version, signal) => {
        const saved = await right.save(session, version, signal);
        if (!saved.saved && saved.reason === 'unavailable') {
          await whole.delete(session.owner, session.id, signal);
        }
        return saved;
      },
    }),
  },
  {
    name: 'failed-delete-is-unknown',
    wrong: 'reports a failed deletion as an unknown session',
    mutate: ({ right }) => ({
      delete: async (owner, id, signal) => {
        const deleted = await right.delete(owner, id, signal);
        return deleted.deleted ? deleted : { deleted: false, reason: 'unknown' };
      },
    }),
  },
];
