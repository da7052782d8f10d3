import type { CredentialStoreMutant } from './credential-store-mutant.ts';

const removingMutants: readonly CredentialStoreMutant[] = [
  {
    name: 'removes-nothing',
    wrong: 'says that it removed, and does not',
    change: () => ({ remove: async () => null }),
  },
  {
    name: 'removes-all-servers',
    wrong: 'removes the credentials of other servers as well',
    change: (right) => ({
      remove: async ({ owner }) => {
        for (const [key, { at }] of right.entries) {
          right.entries.delete(at.startsWith(JSON.stringify([owner]).slice(0, -1)) ? key : '-');
        }
        return null;
      },
    }),
  },
  {
    name: 'removes-all-owners',
    wrong: 'removes the credentials of other owners as well',
    change: (right) => ({
      remove: async ({ server }) => {
        for (const [key, { credential }] of right.entries) {
          right.entries.delete(credential.server === server ? key : '-');
        }
        return null;
      },
    }),
  },
  {
    name: 'nothing-to-remove',
    wrong: 'says that there is a problem where there is nothing to remove',
    change: (right) => ({
      remove: async (place, signal) =>
        right.at(place).length === 0 ? 'There is no credential.' : right.remove(place, signal),
    }),
  },
];

const renewerMutants: readonly CredentialStoreMutant[] = [
  { name: 'all-run', wrong: 'takes every renewer for one that runs', change: () => ({ runs: () => true }) },
  { name: 'none-runs', wrong: 'takes no renewer for one that runs', change: () => ({ runs: () => false }) },
  {
    name: 'nameless-renewer',
    wrong: 'has no name for a renewer',
    change: () => ({ renewer: '', runs: (one) => one === '' }),
  },
  {
    name: 'empty-renewer-runs',
    wrong: 'takes an empty name for a renewer that runs',
    change: (right) => ({ runs: (renewer) => right.renewer.startsWith(renewer) }),
  },
  {
    name: 'strange-renewer-throws',
    wrong: 'throws for a name that is none of a renewer',
    change: (right) => ({
      runs: (renewer) => {
        if (renewer.length > 100) {
          throw new RangeError('too long');
        }
        return right.runs(renewer);
      },
    }),
  },
];

const preparingMutants: readonly CredentialStoreMutant[] = [
  {
    name: 'never-unready',
    wrong: 'is ready to save where nothing can be written',
    change: () => ({ prepare: async () => null }),
  },
  {
    name: 'unready-rejects',
    wrong: 'rejects where nothing can be written',
    change: (right) => ({
      prepare: async () => {
        const problem = await right.prepare();
        if (problem !== null) {
          throw new Error(problem);
        }
        return null;
      },
    }),
  },
  {
    name: 'unready-lasts',
    wrong: 'is never ready again once nothing could be written',
    change: (right) => {
      let first: string | null = null;
      return {
        prepare: async () => {
          first ??= await right.prepare();
          return first;
        },
      };
    },
  },
];

const failureMutants: readonly CredentialStoreMutant[] = [
  { name: 'gives-damaged', wrong: 'gives what cannot be read', points: { readsDamaged: true } },
  {
    name: 'damage-rejects',
    wrong: 'rejects where a record cannot be read',
    change: (right) => ({
      find: async (place, signal) => {
        if (right.at(place).some(({ isDamaged }) => isDamaged)) {
          throw new SyntaxError('Unexpected end of JSON input');
        }
        return right.find(place, signal);
      },
    }),
  },
  {
    name: 'keeps-damaged',
    wrong: 'lets a record that cannot be read stay in the place of what is saved',
    change: (right) => ({
      save: async (owner, kept, signal) =>
        right.at({ owner, server: kept.credential.server }).some(({ isDamaged }) => isDamaged)
          ? { saved: false, reason: 'conflict' }
          : right.save(owner, kept, signal),
    }),
  },
  {
    name: 'failure-is-none',
    wrong: 'says that there is no credential where it cannot look',
    change: (right) => ({ find: async (place, signal) => (right.isBroken ? null : right.find(place, signal)) }),
  },
  {
    name: 'failure-without-words',
    wrong: 'does not say why it cannot look',
    change: (right) => ({
      find: async (place, signal) => {
        if (right.isBroken) {
          throw new Error('EIO');
        }
        return right.find(place, signal);
      },
    }),
  },
  {
    name: 'failed-save-is-conflict',
    wrong: 'takes what it could not write for saved by another',
    change: (right) => ({
      save: async (owner, kept, signal) =>
        right.isBroken ? { saved: false, reason: 'conflict' } : right.save(owner, kept, signal),
    }),
  },
  {
    name: 'failed-save-rejects',
    wrong: 'rejects where it cannot write',
    change: (right) => ({
      save: async (owner, kept, signal) => {
        if (right.isBroken) {
          throw new Error('The disk is full.');
        }
        return right.save(owner, kept, signal);
      },
    }),
  },
  {
    name: 'failed-save-clears',
    wrong: 'loses what was there where it cannot write',
    change: (right) => ({
      save: async (owner, kept, signal) => {
        const save = await right.save(owner, kept, signal);
        if (!save.saved && save.reason === 'unavailable') {
          right.entries.clear();
        }
        return save;
      },
    }),
  },
  {
    name: 'failed-removal-told-as-done',
    wrong: 'says that it removed what it could not',
    change: (right) => ({
      remove: async (place, signal) => {
        await right.remove(place, signal);
        return null;
      },
    }),
  },
  {
    name: 'failed-removal-rejects',
    wrong: 'rejects where it cannot remove',
    change: (right) => ({
      remove: async (place, signal) => {
        const problem = await right.remove(place, signal);
        if (problem !== null) {
          throw new Error(problem);
        }
        return null;
      },
    }),
  },
];

/** How they remove, whom they take for running, and what they do where something fails. */
export const credentialFaultMutants: readonly CredentialStoreMutant[] = [
  ...removingMutants,
  ...renewerMutants,
  ...preparingMutants,
  ...failureMutants,
];
