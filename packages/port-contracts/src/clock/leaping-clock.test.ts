import { expect, it } from 'vitest';
import { describeClockContract } from './clock.contract.ts';
import { LeapingClock } from './leaping-clock.ts';

describeClockContract({
  name: 'LeapingClock',
  features: { leaps: true },
  create: () => {
    const clock = new LeapingClock();
    return { clock, pass: async (durationMs) => clock.leap(durationMs), countTimers: () => clock.sleeping };
  },
});

it('a leap wakes each sleeper whose time has passed, and no other', async () => {
  const clock = new LeapingClock();
  const controller = new AbortController();
  const [soon, late] = [clock.sleep(60_000, controller.signal), clock.sleep(600_000, controller.signal)];
  expect(clock.sleeping).toBe(2);
  clock.leap(60_000);
  await soon;
  expect(clock.sleeping).toBe(1);
  controller.abort();
  await expect(late).rejects.toBe(controller.signal.reason);
  expect(clock.sleeping).toBe(0);
});
