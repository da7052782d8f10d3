import type { SessionStoreMutant } from './session-mutant.ts';

/** Confuses owners whose names are equal after a change. */
function renamingOwners(rename: (owner: string) => string): Pick<SessionStoreMutant, 'mutate'> {
  return {
    mutate: ({ right }) => ({
      load: async (owner, id, signal) => {
        const loaded = await right.load(rename(owner), id, signal);
        return loaded && { ...loaded, session: { ...loaded.session, owner } };
      },
      save: (session, version, signal) => right.save({ ...session, owner: rename(session.owner) }, version, signal),
      list: (owner, limit, signal) => right.list(rename(owner), limit, signal),
      delete: (owner, id, signal) => right.delete(rename(owner), id, signal),
    }),
  };
}

/** Mutants that confuse owners. */
export const sessionOwnerMutants: readonly SessionStoreMutant[] = [
  {
    name: 'any-owner-deletes',
    wrong: "deletes another owner's session",
    mutate: ({ right }) => ({
      delete: async (owner, id, signal) => {
        for (const one of [owner, ...(await right.owners(signal))]) {
          const deleted = await right.delete(one, id, signal);
          if (deleted.deleted) {
            return deleted;
          }
        }
        return { deleted: false, reason: 'unknown' };
      },
    }),
  },
  {
    name: 'owner-composed',
    wrong: 'confuses owners whose accents are composed differently',
    ...renamingOwners((owner) => owner.normalize('NFC')),
  },
  {
    name: 'no-empty-owner',
    wrong: 'keeps nothing of an owner without a name',
    mutate: ({ right }) => ({
      save: async (session, version, signal) =>
        session.owner === ''
          ? { saved: false, reason: 'unavailable', detail: 'no owner' }
          : right.save(session, version, signal),
    }),
  },
  {
    name: 'repeats-owners',
    wrong: 'names an owner for each session',
    mutate: ({ right }) => ({
      owners: async (signal) => {
        const owners = await right.owners(signal);
        const counts = await Promise.all(owners.map((one) => right.list(one, 1_000, signal)));
        return owners.flatMap((one, index) => (counts[index] ?? []).map(() => one));
      },
    }),
  },
];
