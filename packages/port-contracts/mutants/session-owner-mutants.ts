import { conflict, type SessionStoreMutant } from './session-mutant.ts';

/** Takes owners for one that have the same name after a change. */
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

/** Whose sessions they show. */
export const sessionOwnerMutants: readonly SessionStoreMutant[] = [
  {
    name: 'any-owner-loads',
    wrong: "loads another owner's session for an id that is known",
    mutate: ({ right }) => ({
      load: async (owner, id, signal) => {
        const owners = [owner, ...(await right.owners(signal))];
        const loaded = await Promise.all(owners.map((one) => right.load(one, id, signal)));
        return loaded.find((one) => one !== null) ?? null;
      },
    }),
  },
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
    name: 'lists-all-owners',
    wrong: "lists other owners' sessions among the owner's",
    mutate: ({ right }) => ({
      list: async (_, limit, signal) => {
        const owners = await right.owners(signal);
        return (await Promise.all(owners.map((one) => right.list(one, limit, signal)))).flat().slice(0, limit);
      },
    }),
  },
  {
    name: 'one-owner-per-id',
    wrong: 'refuses a session whose id another owner has',
    mutate: ({ right }) => ({
      save: async (session, version, signal) => {
        const owners = await right.owners(signal);
        const others = owners.filter((owner) => owner !== session.owner);
        const loaded = await Promise.all(others.map((owner) => right.load(owner, session.id, signal)));
        return loaded.some((one) => one !== null) ? conflict : right.save(session, version, signal);
      },
    }),
  },
  {
    name: 'owner-without-case',
    wrong: 'takes owners for one that differ only by case',
    ...renamingOwners((owner) => owner.toLowerCase()),
  },
  { name: 'owner-trimmed', wrong: 'drops white space around an owner', ...renamingOwners((owner) => owner.trim()) },
  {
    name: 'owner-last-name',
    wrong: 'takes what follows the last slash for the owner',
    ...renamingOwners((owner) => owner.slice(owner.lastIndexOf('/') + 1)),
  },
  { name: 'owner-cut', wrong: 'looks at five characters of an owner', ...renamingOwners((owner) => owner.slice(0, 5)) },
  {
    name: 'owner-composed',
    wrong: 'takes owners for one whose accents are composed in different ways',
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
  { name: 'no-owners', wrong: 'names no owner', mutate: () => ({ owners: async () => [] }) },
  {
    name: 'owners-of-nothing',
    wrong: 'names owners whose sessions were all deleted',
    mutate: ({ right, memory }) => ({
      save: (session, version, signal) => {
        memory.set(session.owner, 1);
        return right.save(session, version, signal);
      },
      owners: async (signal) => {
        await right.owners(signal);
        return [...memory.keys()];
      },
    }),
  },
];
