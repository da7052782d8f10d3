import { type ClockMutant, neverAborted } from './clock-mutant.ts';

/** Mutants of aborted sleeps. */
export const clockAbortMutants: readonly ClockMutant[] = [
  {
    name: 'aborted-zero',
    wrong: 'resolves a sleep of zero although the signal is aborted',
    mutate: (right) => ({
      sleep: async (durationMs, signal) => (durationMs <= 0 ? undefined : right.sleep(durationMs, signal)),
    }),
  },
  {
    name: 'never-again',
    wrong: 'rejects all sleeps after an abort',
    mutate: (right) => {
      const all = new AbortController();
      return {
        sleep: async (durationMs, signal) => {
          all.signal.throwIfAborted();
          await right.sleep(durationMs, signal).catch((reason) => {
            all.abort(reason);
            throw reason;
          });
        },
      };
    },
  },
  {
    name: 'shares-sleeps',
    wrong: 'takes sleeps of one length for the same sleep, so that an abort of one ends the others',
    mutate: (right) => {
      const shared = new Map<number, Promise<void>>();
      return {
        sleep: (durationMs, signal) => {
          const slept = shared.get(durationMs) ?? right.sleep(durationMs, signal);
          shared.set(durationMs, slept);
          return slept.finally(() => shared.delete(durationMs));
        },
      };
    },
  },
  {
    name: 'throws-when-aborted',
    wrong: 'throws for an aborted signal instead of rejecting',
    mutate: (right) => ({
      sleep: (durationMs, signal) => {
        signal.throwIfAborted();
        return right.sleep(durationMs, signal);
      },
    }),
  },
  {
    name: 'rejects-in-the-end',
    wrong: 'rejects for an abort only when the time has passed',
    hangs: true,
    mutate: (right) => ({
      sleep: async (durationMs, signal) => {
        signal.throwIfAborted();
        await right.sleep(durationMs, neverAborted);
        signal.throwIfAborted();
      },
    }),
  },
  {
    name: 'one-sleep-per-signal',
    wrong: 'ends only the first sleep of a signal when it is aborted',
    hangs: true,
    mutate: (right) => {
      const known = new WeakSet<AbortSignal>();
      return {
        sleep: (durationMs, signal) => {
          const isKnown = known.has(signal) && !signal.aborted;
          known.add(signal);
          return right.sleep(durationMs, isKnown ? neverAborted : signal);
        },
      };
    },
  },
  {
    name: 'leaks-listener-at-the-end',
    wrong: 'leaves its listener on the signal of a sleep that ended by itself',
    mutate: (right) => ({
      sleep: async (durationMs, signal) => {
        await right.sleep(durationMs, signal);
        signal.addEventListener('abort', () => undefined);
      },
    }),
  },
  {
    name: 'leaks-listener-at-an-abort',
    wrong: 'leaves its listener on the signal of a sleep that was aborted',
    mutate: (right) => ({
      sleep: (durationMs, signal) =>
        right.sleep(durationMs, signal).catch((reason) => {
          signal.addEventListener('abort', () => undefined);
          throw reason;
        }),
    }),
  },
];
