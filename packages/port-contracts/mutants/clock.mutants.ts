import type { Clock } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { describeClockContract } from '../src/clock.contract.ts';
import { type Mutant, proveMutants } from './prove-mutants.ts';

type ClockMutant = Mutant & { readonly mutate: (right: FakeClock) => Partial<Clock> };

const neverAborted = new AbortController().signal;
const timerLimitMs = 2_147_483_647;

const mutants: readonly ClockMutant[] = [
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
    name: 'ignores-abort',
    wrong: 'sleeps on when the signal is aborted',
    hangs: true,
    mutate: (right) => ({
      sleep: async (durationMs, signal) => {
        signal.throwIfAborted();
        await right.sleep(durationMs, neverAborted);
      },
    }),
  },
  {
    name: 'ignores-aborted',
    wrong: 'does not look whether the signal is aborted already',
    hangs: true,
    mutate: (right) => ({
      sleep: (durationMs, signal) => right.sleep(durationMs, signal.aborted ? neverAborted : signal),
    }),
  },
  {
    name: 'aborted-zero',
    wrong: 'resolves a sleep of zero although the signal is aborted',
    mutate: (right) => ({
      sleep: async (durationMs, signal) => (durationMs <= 0 ? undefined : right.sleep(durationMs, signal)),
    }),
  },
  {
    name: 'own-error',
    wrong: "rejects with an error of its own instead of the signal's reason",
    mutate: (right) => ({
      sleep: (durationMs, signal) =>
        right.sleep(durationMs, signal).catch(() => {
          throw new Error('aborted');
        }),
    }),
  },
  {
    name: 'resolves-on-abort',
    wrong: 'resolves when the signal is aborted',
    mutate: (right) => ({ sleep: (durationMs, signal) => right.sleep(durationMs, signal).catch(() => undefined) }),
  },
  {
    name: 'leaks-listener',
    wrong: 'leaves its listener on the signal',
    mutate: (right) => ({
      sleep: (durationMs, signal) => {
        signal.addEventListener('abort', () => undefined);
        return right.sleep(durationMs, signal);
      },
    }),
  },
  {
    name: 'leaks-timer',
    wrong: 'leaves its timer running after an abort',
    mutate: (right) => ({
      sleep: (durationMs, signal) => {
        const isAsleep = !signal.aborted && durationMs > 0;
        return right.sleep(durationMs, signal).catch((reason) => {
          if (isAsleep) {
            right.sleep(durationMs, neverAborted).catch(() => undefined);
          }
          throw reason;
        });
      },
    }),
  },
  {
    name: 'aborts-all',
    wrong: 'ends every sleep when one signal is aborted',
    mutate: (right) => {
      const all = new AbortController();
      return {
        sleep: (durationMs, signal) =>
          right.sleep(durationMs, AbortSignal.any([signal, all.signal])).catch((reason) => {
            all.abort(reason);
            throw reason;
          }),
      };
    },
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
];

proveMutants(mutants, (about, mutant) => {
  describeClockContract({
    ...about,
    create: () => {
      const right = new FakeClock();
      const changed = mutant?.mutate(right) ?? {};
      return {
        clock: {
          now: changed.now ?? (() => right.now()),
          sleep: changed.sleep ?? ((ms, signal) => right.sleep(ms, signal)),
        },
        pass: (durationMs) => right.advance(durationMs),
        countTimers: () => right.sleeping,
      };
    },
  });
});
