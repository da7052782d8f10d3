import type { ClockMutant } from './clock-mutant.ts';

const timerLimitMs = 2_147_483_647;

/** Mutants of when sleeps end. */
export const clockSleepMutants: readonly ClockMutant[] = [
  {
    name: 'one-at-a-time',
    wrong: 'begins a sleep only when the one before has ended',
    mutate: (right) => {
      let last: Promise<void> = Promise.resolve();
      return {
        sleep: (durationMs, signal) => {
          const slept = last.catch(() => undefined).then(() => right.sleep(durationMs, signal));
          last = slept.catch(() => undefined);
          return slept;
        },
      };
    },
    hangs: true,
  },
  {
    name: 'sleeps-for-ever',
    wrong: 'never ends a sleep that is longer than the longest timer of Node',
    hangs: true,
    mutate: (right) => ({
      sleep: (durationMs, signal) => right.sleep(durationMs > timerLimitMs ? 1e15 : durationMs, signal),
    }),
  },
  {
    name: 'zero-needs-time',
    wrong: 'ends a sleep of zero a millisecond later',
    hangs: true,
    mutate: (right) => ({ sleep: (durationMs, signal) => right.sleep(durationMs === 0 ? 1 : durationMs, signal) }),
  },
  {
    name: 'without-sign',
    wrong: 'sleeps for five milliseconds when asked for minus five',
    hangs: true,
    mutate: (right) => ({ sleep: (durationMs, signal) => right.sleep(Math.abs(durationMs), signal) }),
  },
  {
    name: 'whole-seconds',
    wrong: 'sleeps for whole seconds',
    hangs: true,
    mutate: (right) => ({
      sleep: (durationMs, signal) => right.sleep(Math.ceil(durationMs / 1_000) * 1_000, signal),
    }),
  },
  {
    name: 'resolves-to-the-time',
    wrong: 'resolves to the time of waking up',
    mutate: (right) => ({
      sleep: (durationMs, signal) => right.sleep(durationMs, signal).then(() => right.now() as unknown as undefined),
    }),
  },
  {
    name: 'one-per-time',
    wrong: 'wakes only one of the sleeps that end at one time',
    hangs: true,
    mutate: (right) => {
      const taken = new Set<number>();
      return {
        sleep: (durationMs, signal) => {
          const wakesAtMs = right.now() + durationMs;
          const isTaken = durationMs > 0 && taken.has(wakesAtMs);
          taken.add(wakesAtMs);
          return right.sleep(isTaken ? 1e12 : durationMs, signal);
        },
      };
    },
  },
];
