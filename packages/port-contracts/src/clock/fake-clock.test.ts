import { FakeClock } from '@gemini-mcp/core/testing';
import { describeClockContract } from './clock.contract.ts';

describeClockContract({
  name: 'FakeClock',
  features: { leaps: true },
  create: () => {
    const clock = new FakeClock();
    return { clock, pass: (durationMs) => clock.advance(durationMs), countTimers: () => clock.sleeping };
  },
});
