import { setTimeout as delay } from 'node:timers/promises';
import { describeClockContract, runningTimers } from '@gemini-mcp/port-contracts';
import { afterEach, expect, it, vi } from 'vitest';
import { SystemClock } from './system-clock.ts';

describeClockContract({
  name: 'SystemClock',
  create: () => ({ clock: new SystemClock(), pass: (durationMs) => delay(durationMs), countTimers: runningTimers }),
});

describeClockContract({
  name: 'SystemClock that keeps no program alive',
  // Node does not count unreferenced timers.
  create: () => ({
    clock: new SystemClock({ keepsAlive: false }),
    pass: (durationMs) => delay(durationMs),
    countTimers: null,
  }),
});

afterEach(() => {
  vi.useRealTimers();
});

const monthsMs = 60 * 24 * 3_600_000;

it('sleeps for months, longer than a timer of Node', async () => {
  vi.useFakeTimers();
  const ended = vi.fn();
  const slept = new SystemClock().sleep(monthsMs, new AbortController().signal).then(ended);
  await vi.advanceTimersByTimeAsync(monthsMs - 1);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await slept;
  expect(vi.getTimerCount()).toBe(0);
});

it('ends a sleep of months on abort after the first timer of Node', async () => {
  vi.useFakeTimers();
  const controller = new AbortController();
  const slept = new SystemClock().sleep(monthsMs, controller.signal);
  await vi.advanceTimersByTimeAsync(monthsMs / 2);
  controller.abort('the reason');
  await expect(slept).rejects.toBe('the reason');
  expect(vi.getTimerCount()).toBe(0);
});
