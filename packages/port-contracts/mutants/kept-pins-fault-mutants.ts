import type { KeptPinsMutant } from './kept-pins-mutant.ts';

const damageMutants: readonly KeptPinsMutant[] = [
  {
    name: 'damage-is-never-seen',
    wrong: 'takes a server whose record cannot be read for one that was never seen',
    change: (right, records) => ({
      load: async (key, signal) => (records.damaged.has(key) ? null : right.load(key, signal)),
    }),
  },
  {
    name: 'gives-damaged',
    wrong: 'gives what cannot be read',
    change: (_, records) => ({ load: async (key) => records.values.get(key) ?? null }),
  },
  {
    name: 'damage-rejects',
    wrong: 'rejects where a record cannot be read',
    change: (right, records) => ({
      load: async (key, signal) => {
        if (records.damaged.has(key)) {
          throw new SyntaxError('Unexpected end of JSON input');
        }
        return right.load(key, signal);
      },
    }),
  },
  {
    name: 'damage-empties',
    wrong: 'gives no pins at all where one record cannot be read',
    change: (right, records) => ({
      load: async (key, signal) => (records.damaged.size > 0 ? [] : right.load(key, signal)),
    }),
  },
  {
    name: 'keeps-damaged',
    wrong: 'lets a record that cannot be read stay in the place of what is added',
    change: (right, records) => ({
      add: async (key, pins, signal) => (records.damaged.has(key) ? null : right.add(key, pins, signal)),
    }),
  },
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
    name: 'failure-is-never-seen',
    wrong: 'takes every server for one that was never seen where it cannot look',
    change: (right, records) => ({
      load: async (key, signal) => (records.isBroken ? null : right.load(key, signal)),
    }),
  },
  {
    name: 'failed-add-told-as-kept',
    wrong: 'says that it kept what it could not write',
    change: (right) => ({
      add: async (key, pins, signal) => {
        await right.add(key, pins, signal);
        return null;
      },
    }),
  },
  {
    name: 'failed-add-rejects',
    wrong: 'rejects where it cannot write',
    change: (right) => ({
      add: async (key, pins, signal) => {
        const problem = await right.add(key, pins, signal);
        if (problem !== null) {
          throw new Error(problem);
        }
        return null;
      },
    }),
  },
  {
    name: 'says-not-why',
    wrong: 'says of what it could not write only that it failed',
    change: (right) => ({
      add: async (key, pins, signal) => ((await right.add(key, pins, signal)) === null ? null : 'failed'),
    }),
  },
  {
    name: 'failed-add-clears',
    wrong: 'loses what was there where it cannot write',
    change: (right, records) => ({
      add: async (key, pins, signal) => {
        const problem = await right.add(key, pins, signal);
        records.values.delete(problem === null ? '-' : key);
        return problem;
      },
    }),
  },
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
    name: 'add-rejects-on-abort',
    wrong: 'rejects to add where it is aborted',
    change: (right) => ({
      add: async (key, pins, signal) => {
        signal.throwIfAborted();
        return right.add(key, pins, signal);
      },
    }),
  },
  {
    name: 'aborted-add-told-as-kept',
    wrong: 'says that it kept what it did not, where it is aborted',
    change: (right) => ({
      add: async (key, pins, signal) => (signal.aborted ? null : right.add(key, pins, signal)),
    }),
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
    name: 'load-leaves-listener',
    wrong: 'leaves a listener on the signal of a load',
    change: (right) => ({
      load: (key, signal) => {
        signal.addEventListener('abort', () => undefined);
        return right.load(key, signal);
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
