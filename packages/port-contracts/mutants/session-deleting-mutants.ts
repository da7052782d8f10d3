import { keyOf, type SessionStoreMutant } from './session-mutant.ts';

/** What they delete, and what they do where writing fails or a record cannot be read. */
export const sessionDeletingMutants: readonly SessionStoreMutant[] = [
  {
    name: 'delete-does-nothing',
    wrong: 'says that it deleted, and did not',
    mutate: ({ right }) => ({
      delete: async (owner, id, signal) => {
        const known = await right.load(owner, id, signal);
        return known === null ? { deleted: false, reason: 'unknown' } : { deleted: true };
      },
    }),
  },
  {
    name: 'deletes-the-unknown',
    wrong: 'says that it deleted a session that is unknown',
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
    wrong: 'tells two deletions at once that there was a session',
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
    wrong: 'hides a deleted session, which other instances still see',
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
    name: 'failed-save-rejects',
    wrong: 'rejects where a save fails',
    mutate: ({ right }) => ({
      save: async (session, version, signal) => {
        const saved = await right.save(session, version, signal);
        if (!saved.saved && saved.reason === 'unavailable') {
          throw new Error(saved.detail);
        }
        return saved;
      },
    }),
  },
  {
    name: 'failed-save-conflicts',
    wrong: 'calls a save that fails a conflict',
    mutate: ({ right }) => ({
      save: async (session, version, signal) => {
        const saved = await right.save(session, version, signal);
        return saved.saved ? saved : { saved: false, reason: 'conflict' };
      },
    }),
  },
  {
    name: 'failed-save-told-as-saved',
    wrong: 'says that it saved where a save fails',
    mutate: ({ right }) => ({
      save: async (session, version, signal) => {
        const saved = await right.save(session, version, signal);
        return !saved.saved && saved.reason === 'unavailable' ? { saved: true, version: version + 1 } : saved;
      },
    }),
  },
  {
    name: 'failed-save-without-words',
    wrong: 'does not say why a save failed',
    mutate: ({ right }) => ({
      save: async (session, version, signal) => {
        const saved = await right.save(session, version, signal);
        return !saved.saved && saved.reason === 'unavailable' ? { ...saved, detail: '' } : saved;
      },
    }),
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
    name: 'failed-delete-rejects',
    wrong: 'rejects where a deletion fails',
    mutate: ({ right }) => ({
      delete: async (owner, id, signal) => {
        const deleted = await right.delete(owner, id, signal);
        if (!deleted.deleted && deleted.reason === 'unavailable') {
          throw new Error(deleted.detail);
        }
        return deleted;
      },
    }),
  },
  {
    name: 'failed-delete-told-as-deleted',
    wrong: 'says that it deleted where a deletion fails',
    mutate: ({ right }) => ({
      delete: async (owner, id, signal) => {
        const deleted = await right.delete(owner, id, signal);
        return !deleted.deleted && deleted.reason === 'unavailable' ? { deleted: true } : deleted;
      },
    }),
  },
  {
    name: 'failed-delete-is-unknown',
    wrong: 'calls a session unknown whose deletion fails',
    mutate: ({ right }) => ({
      delete: async (owner, id, signal) => {
        const deleted = await right.delete(owner, id, signal);
        return deleted.deleted ? deleted : { deleted: false, reason: 'unknown' };
      },
    }),
  },
];
