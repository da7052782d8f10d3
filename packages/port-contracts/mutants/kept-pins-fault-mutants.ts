import type { KeptPinsMutant } from './kept-pins-mutant.ts';

const damageMutants: readonly KeptPinsMutant[] = [
  {
    name: 'damage-refuses',
    wrong: 'refuses to add where the record cannot be read',
    change: (right, records) => ({
      add: async (key, pins, signal) =>
        records.damaged.has(key) ? 'The record cannot be read.' : right.add(key, pins, signal),
    }),
  },
];

const failureMutants: readonly KeptPinsMutant[] = [
  {
    name: 'failure-lasts',
    wrong: 'adds nothing any more once it could not write',
    change: (right) => {
      let failed: string | null = null;
      return {
        add: async (key, pins, signal) => {
          failed ??= await right.add(key, pins, signal);
          return failed;
        },
      };
    },
  },
];

const signalMutants: readonly KeptPinsMutant[] = [
  {
    name: 'abort-is-never-seen',
    wrong: 'takes a server for one that was never seen where a load is aborted',
    change: (right) => ({ load: async (key, signal) => (signal.aborted ? null : right.load(key, signal)) }),
  },
  {
    name: 'aborted-add-denied',
    wrong: 'says that it did not keep what it did, where it is aborted',
    change: (right) => ({
      add: async (key, pins, signal) => {
        const problem = await right.add(key, pins, signal);
        return signal.aborted ? 'It was not wanted any more.' : problem;
      },
    }),
  },
  {
    name: 'add-leaves-listener',
    wrong: 'leaves a listener on the signal of an addition',
    change: (right) => ({
      add: (key, pins, signal) => {
        signal.addEventListener('abort', () => undefined);
        return right.add(key, pins, signal);
      },
    }),
  },
];

/** What they do where something fails. */
export const keptPinsFaultMutants: readonly KeptPinsMutant[] = [...damageMutants, ...failureMutants, ...signalMutants];
