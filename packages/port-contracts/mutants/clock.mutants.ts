import { FakeClock } from '@gemini-mcp/core/testing';
import { describeClockContract } from '../src/clock/clock.contract.ts';
import { clockAbortMutants } from './clock/clock-abort-mutants.ts';
import { clockSleepMutants } from './clock/clock-sleep-mutants.ts';
import { clockTimeMutants } from './clock/clock-time-mutants.ts';
import { proveMutants } from './prove-mutants.ts';

proveMutants([...clockTimeMutants, ...clockSleepMutants, ...clockAbortMutants], (about, mutant) => {
  describeClockContract({
    ...about,
    features: { leaps: true },
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
