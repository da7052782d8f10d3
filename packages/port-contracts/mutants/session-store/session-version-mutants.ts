import { conflict, keyOf, type SessionStoreMutant } from './session-mutant.ts';

/** Mutants of versions. */
export const sessionVersionMutants: readonly SessionStoreMutant[] = [
  {
    name: 'zero-overwrites',
    wrong: 'takes version 0 for any version',
    mutate: ({ right }) => ({
      save: async (session, version, signal) => {
        const known = await right.load(session.owner, session.id, signal);
        return right.save(session, version === 0 ? (known?.version ?? 0) : version, signal);
      },
    }),
  },
  {
    name: 'newer-wins',
    wrong: 'saves at any version that is not older',
    mutate: ({ right }) => ({
      save: async (session, version, signal) => {
        const known = await right.load(session.owner, session.id, signal);
        const isNewer = known !== null && version > known.version;
        return right.save(session, isNewer ? known.version : version, signal);
      },
    }),
  },
  {
    name: 'looks-before-it-saves',
    wrong: 'compares the version first and saves a moment later',
    mutate: ({ right }) => ({
      save: async (session, version, signal) => {
        const known = await right.load(session.owner, session.id, signal);
        if ((known?.version ?? 0) !== version) {
          return conflict;
        }
        const saved = await right.save(session, version, signal);
        const now = await right.load(session.owner, session.id, signal);
        return saved.saved ? saved : right.save(session, now?.version ?? 0, signal);
      },
    }),
  },
  {
    name: 'versions-begin-again',
    wrong: 'counts the versions of a session from 1 again after its deletion',
    mutate: ({ right, memory }) => ({
      load: async (owner, id, signal) => {
        const loaded = await right.load(owner, id, signal);
        return loaded && { ...loaded, version: memory.get(keyOf({ owner, id })) ?? 0 };
      },
      save: async (session, version, signal) => {
        const known = await right.load(session.owner, session.id, signal);
        const newest = known === null ? 0 : (memory.get(keyOf(session)) ?? 0);
        const saved = newest === version ? await right.save(session, known?.version ?? 0, signal) : conflict;
        if (saved.saved) {
          memory.set(keyOf(session), newest + 1);
        }
        return saved.saved ? { saved: true, version: newest + 1 } : saved;
      },
    }),
  },
  {
    name: 'time-is-the-version',
    wrong: 'takes the time of the last update for the version',
    mutate: ({ right }) => ({
      load: async (owner, id, signal) => {
        const loaded = await right.load(owner, id, signal);
        return loaded && { ...loaded, version: loaded.session.updatedAtMs };
      },
      save: async (session, version, signal) => {
        const known = await right.load(session.owner, session.id, signal);
        const newest = known?.session.updatedAtMs ?? 0;
        const saved = newest === version ? await right.save(session, known?.version ?? 0, signal) : conflict;
        return saved.saved ? { saved: true, version: session.updatedAtMs } : saved;
      },
    }),
  },
  {
    name: 'one-save-at-a-time',
    wrong: 'refuses a save while another session is saved',
    mutate: ({ right, memory }) => ({
      save: async (session, version, signal) => {
        signal.throwIfAborted();
        if (memory.has('saving')) {
          return { saved: false, reason: 'unavailable', detail: 'it is saving' };
        }
        memory.set('saving', 1);
        await Promise.resolve();
        memory.delete('saving');
        return right.save(session, version, signal);
      },
    }),
  },
  {
    name: 'gives-once',
    wrong: 'gives a session once',
    mutate: ({ right }) => {
      const given = new Set<number>();
      return {
        load: async (owner, id, signal) => {
          const loaded = await right.load(owner, id, signal);
          const isGiven = loaded === null || given.has(loaded.version);
          given.add(loaded?.version ?? 0);
          return isGiven ? null : loaded;
        },
      };
    },
  },
  {
    name: 'hangs-on-unknown',
    wrong: 'never settles for an unknown id',
    hangs: true,
    mutate: ({ right }) => ({
      load: async (owner, id, signal) => (await right.load(owner, id, signal)) ?? new Promise<never>(() => undefined),
    }),
  },
];
