import type { ClockMutant } from './clock-mutant.ts';

/** What they tell of the time. */
export const clockTimeMutants: readonly ClockMutant[] = [
  {
    name: 'seconds',
    wrong: 'tells seconds instead of milliseconds',
    mutate: (right) => ({ now: () => right.now() / 1_000 }),
  },
  {
    name: 'since-start',
    wrong: 'counts from its own start instead of the epoch',
    mutate: (right) => {
      const startMs = right.now();
      return { now: () => right.now() - startMs };
    },
  },
  {
    name: 'stands-still',
    wrong: 'always tells the time at which it was made',
    mutate: (right) => {
      const startMs = right.now();
      return { now: () => startMs };
    },
  },
  {
    name: 'goes-back',
    wrong: 'goes back by a few milliseconds now and then',
    mutate: (right) => {
      let looks = 0;
      return {
        now: () => {
          looks += 1;
          return right.now() - (looks === 4 ? 10 : 0);
        },
      };
    },
  },
  {
    name: 'microseconds',
    wrong: 'tells microseconds instead of milliseconds',
    mutate: (right) => ({ now: () => right.now() * 1_000 }),
  },
  { name: 'not-a-number', wrong: 'tells no number', mutate: () => ({ now: () => Number.NaN }) },
  {
    name: 'half-speed',
    wrong: 'goes at half the speed',
    mutate: (right) => {
      const startMs = right.now();
      return { now: () => startMs + (right.now() - startMs) / 2 };
    },
  },
  {
    name: 'moves-by-seconds',
    wrong: 'moves on by whole seconds',
    mutate: (right) => ({ now: () => Math.floor(right.now() / 1_000) * 1_000 }),
  },
];
