import { setTimeout as delay } from 'node:timers/promises';
import { describeClockContract, runningTimers } from '@gemini-mcp/port-contracts';
import { SystemClock } from './system-clock.ts';

describeClockContract({
  name: 'SystemClock',
  create: () => ({ clock: new SystemClock(), pass: (durationMs) => delay(durationMs), countTimers: runningTimers }),
});

describeClockContract({
  name: 'SystemClock that keeps no program alive',
  // Node does not count timers that keep nothing alive.
  create: () => ({
    clock: new SystemClock({ keepsAlive: false }),
    pass: (durationMs) => delay(durationMs),
    countTimers: null,
  }),
});
