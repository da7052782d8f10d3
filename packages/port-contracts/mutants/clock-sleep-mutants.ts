import { type ClockMutant, neverAborted } from './clock-mutant.ts';

const timerLimitMs = 2_147_483_647;

/** When their sleeps end. */
export const clockSleepMutants: readonly ClockMutant[] = [
  {
    name: 'wakes-early',
    wrong: 'sleeps for half of the time',
    mutate: (right) => ({ sleep: (durationMs, signal) => right.sleep(durationMs / 2, signal) }),
  },
  {
    name: 'never-wakes',
    wrong: 'does not wake up when the time has passed',
    hangs: true,
    mutate: (right) => ({
      sleep: (durationMs, signal) => right.sleep(durationMs > 0 ? durationMs + 1e12 : durationMs, signal),
    }),
  },
  {
    name: 'timer-overflow',
    wrong: 'ends a sleep at once that is longer than a timer of Node can be',
    mutate: (right) => ({
      sleep: (durationMs, signal) => right.sleep(durationMs > timerLimitMs ? 1 : durationMs, signal),
    }),
  },
  {
    name: 'no-zero',
    wrong: 'never ends a sleep of zero',
    hangs: true,
    mutate: (right) => ({ sleep: (durationMs, signal) => right.sleep(durationMs === 0 ? 1e12 : durationMs, signal) }),
  },
  {
    name: 'no-negative',
    wrong: 'rejects a duration below zero',
    mutate: (right) => ({
      sleep: async (durationMs, signal) => {
        if (durationMs < 0) {
          throw new RangeError('a duration below zero');
        }
        await right.sleep(durationMs, signal);
      },
    }),
  },
  {
    name: 'one-at-a-time',
    wrong: 'begins a sleep only when the one before is over',
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
    name: 'ends-with-the-timer',
    wrong: 'ends a sleep of months after the longest timer of Node, 24.8 days',
    mutate: (right) => ({
      sleep: (durationMs, signal) => right.sleep(Math.min(durationMs, timerLimitMs), signal),
    }),
  },
  {
    name: 'sleeps-for-ever',
    wrong: 'never ends a sleep that is longer than a timer of Node can be',
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
    wrong: 'sleeps for five milliseconds where minus five are asked for',
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
    name: 'tells-the-time',
    wrong: 'resolves to the time at which it woke up',
    mutate: (right) => ({
      sleep: (durationMs, signal) => right.sleep(durationMs, signal).then(() => right.now() as unknown as undefined),
    }),
  },
  {
    name: 'one-per-time',
    wrong: 'wakes one of the sleeps that end at one time',
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
  {
    name: 'wakes-all',
    wrong: 'ends all sleeps when the first of them ends',
    mutate: (right) => {
      let first: Promise<void> | null = null;
      return {
        sleep: (durationMs, signal) => {
          const slept = right.sleep(durationMs, signal);
          if (durationMs <= 0 || signal.aborted) {
            return slept;
          }
          first = first === null ? slept : Promise.race([first, slept]);
          return Promise.race([slept, first]);
        },
      };
    },
  },
  {
    name: 'leaves-its-timer',
    wrong: 'leaves a timer running when a sleep is over',
    mutate: (right) => ({
      sleep: async (durationMs, signal) => {
        await right.sleep(durationMs, signal);
        right.sleep(1e12, neverAborted).catch(() => undefined);
      },
    }),
  },
];
