import { changingSessions, changingTexts, neverAborted, type SessionStoreMutant } from './session-mutant.ts';

/** What they keep, for whom, and at which version. */
export const sessionKeepingMutants: readonly SessionStoreMutant[] = [
  {
    name: 'any-owner-loads',
    wrong: "loads another owner's session for an id that is known",
    mutate: (right) => {
      const ownerOf = new Map<string, string>();
      return {
        save: (session, version, signal) => {
          ownerOf.set(session.id, session.owner);
          return right.save(session, version, signal);
        },
        load: (owner, id, signal) => right.load(ownerOf.get(id) ?? owner, id, signal),
      };
    },
  },
  {
    name: 'any-owner-deletes',
    wrong: "deletes another owner's session",
    mutate: (right) => {
      const ownerOf = new Map<string, string>();
      return {
        save: (session, version, signal) => {
          ownerOf.set(session.id, session.owner);
          return right.save(session, version, signal);
        },
        delete: (owner, id, signal) => right.delete(ownerOf.get(id) ?? owner, id, signal),
      };
    },
  },
  {
    name: 'last-save-wins',
    wrong: 'saves at any version',
    mutate: (right) => ({
      save: async (session, version, signal) => {
        const known = await right.load(session.owner, session.id, signal);
        return right.save(session, known?.version ?? version, signal);
      },
    }),
  },
  {
    name: 'zero-overwrites',
    wrong: 'takes version 0 for any version',
    mutate: (right) => ({
      save: async (session, version, signal) => {
        const known = await right.load(session.owner, session.id, signal);
        return right.save(session, version === 0 ? (known?.version ?? 0) : version, signal);
      },
    }),
  },
  {
    name: 'conflict-rejects',
    wrong: 'rejects at a stale version',
    mutate: (right) => ({
      save: async (session, version, signal) => {
        const saved = await right.save(session, version, signal);
        if (!saved.saved && saved.reason === 'conflict') {
          throw new Error('conflict');
        }
        return saved;
      },
    }),
  },
  {
    name: 'version-not-told',
    wrong: 'tells the version before the save as the one after it',
    mutate: (right) => ({
      save: async (session, version, signal) => {
        const saved = await right.save(session, version, signal);
        return saved.saved ? { saved: true, version } : saved;
      },
    }),
  },
  {
    name: 'no-emoji',
    wrong: 'keeps the first plane of Unicode',
    mutate: changingTexts((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
  },
  {
    name: 'changes-line-ends',
    wrong: 'turns CRLF into LF',
    mutate: changingTexts((text) => text.replaceAll('\r\n', '\n')),
  },
  {
    name: 'loses-model',
    wrong: 'loses the model',
    mutate: changingSessions((session) => ({ ...session, model: null })),
  },
  {
    name: 'loses-directory',
    wrong: 'loses the working directory',
    mutate: changingSessions((session) => ({ ...session, workingDirectory: null })),
  },
  {
    name: 'loses-last-turn',
    wrong: 'loses the last turn of two or more',
    mutate: changingSessions((session) => ({
      ...session,
      turns: session.turns.slice(0, Math.max(1, session.turns.length - 1)),
    })),
  },
  {
    name: 'delete-does-nothing',
    wrong: 'says that it deleted, and did not',
    mutate: (right) => ({
      delete: async (owner, id, signal) => {
        const known = await right.load(owner, id, signal);
        return known === null ? { deleted: false, reason: 'unknown' } : { deleted: true };
      },
    }),
  },
  {
    name: 'deletes-the-unknown',
    wrong: 'says that it deleted a session that is unknown',
    mutate: (right) => ({
      delete: async (owner, id, signal) => {
        await right.delete(owner, id, signal);
        return { deleted: true };
      },
    }),
  },
  {
    name: 'ignores-aborted-load',
    wrong: 'loads although the signal is aborted',
    mutate: (right) => ({ load: (owner, id) => right.load(owner, id, neverAborted) }),
  },
  {
    name: 'ignores-aborted-save',
    wrong: 'saves although the signal is aborted',
    mutate: (right) => ({ save: (session, version) => right.save(session, version, neverAborted) }),
  },
  {
    name: 'ignores-aborted-delete',
    wrong: 'deletes although the signal is aborted',
    mutate: (right) => ({ delete: (owner, id) => right.delete(owner, id, neverAborted) }),
  },
];
