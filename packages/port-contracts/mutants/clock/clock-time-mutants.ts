import type { ClockMutant } from './clock-mutant.ts';

/** Mutants of the current time. */
export const clockTimeMutants: readonly ClockMutant[] = [
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
    wrong: 'returns microseconds instead of milliseconds',
    mutate: (right) => ({ now: () => right.now() * 1_000 }),
  },
  {
    name: 'moves-by-seconds',
    wrong: 'advances by whole seconds',
    mutate: (right) => ({ now: () => Math.floor(right.now() / 1_000) * 1_000 }),
  },
];
