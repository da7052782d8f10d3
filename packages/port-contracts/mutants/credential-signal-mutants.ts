import type { CredentialStoreMutant } from './credential-store-mutant.ts';

/** What they do where they are aborted, or never end. */
export const credentialSignalMutants: readonly CredentialStoreMutant[] = [
  {
    name: 'abort-is-none',
    wrong: 'says that there is no credential where it is aborted',
    change: (right) => ({ find: async (place, signal) => (signal.aborted ? null : right.find(place, signal)) }),
  },
  {
    name: 'aborted-save-is-conflict',
    wrong: 'says that another has saved where it is aborted',
    change: (right) => ({
      save: async (owner, kept, signal) =>
        signal.aborted ? { saved: false, reason: 'conflict' } : right.save(owner, kept, signal),
    }),
  },
  {
    name: 'aborted-save-saves',
    wrong: 'saves where it rejects with the reason of an abort',
    change: (right) => ({
      save: async (owner, kept, signal) => {
        const save = await right.save(owner, kept, signal);
        signal.throwIfAborted();
        return save;
      },
    }),
  },
  {
    name: 'aborted-removal-told-as-done',
    wrong: 'says that it removed what it did not, where it is aborted',
    change: (right) => ({
      remove: async (place, signal) => (signal.aborted ? null : right.remove(place, signal)),
    }),
  },
  {
    name: 'other-reason',
    wrong: 'rejects with a reason of its own where it is aborted',
    change: (right) => ({
      find: async (place, signal) => {
        if (signal.aborted) {
          throw new DOMException('aborted', 'AbortError');
        }
        return right.find(place, signal);
      },
    }),
  },
  {
    name: 'find-leaves-listener',
    wrong: 'leaves a listener on the signal of a search',
    change: (right) => ({
      find: (place, signal) => {
        signal.addEventListener('abort', () => undefined);
        return right.find(place, signal);
      },
    }),
  },
  {
    name: 'save-leaves-listener',
    wrong: 'leaves a listener on the signal of a save',
    change: (right) => ({
      save: (owner, kept, signal) => {
        signal.addEventListener('abort', () => undefined);
        return right.save(owner, kept, signal);
      },
    }),
  },
  {
    name: 'find-hangs',
    wrong: 'never answers',
    change: () => ({ find: () => new Promise(() => undefined) }),
    hangs: true,
  },
];
