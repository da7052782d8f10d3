import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { RunLimit } from './run-limit.ts';

let clock = new FakeClock();
const limits: RunLimit[] = [];

afterEach(async () => {
  await Promise.all(limits.splice(0).map((limit) => limit.release()));
  expect(clock.sleeping).toBe(0);
  clock = new FakeClock();
});

function open(durationMs: number, signal: AbortSignal = new AbortController().signal): RunLimit {
  const limit = new RunLimit({ clock, deadlineAtMs: clock.now() + durationMs }, signal);
  limits.push(limit);
  return limit;
}

describe('RunLimit', () => {
  it('is reached at the deadline', async () => {
    const limit = open(1_000);
    await clock.advance(999);
    expect(limit.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(limit.signal.aborted).toBe(true);
    expect(limit.termination).toBe('timed-out');
  });

  it('is reached by an abort', () => {
    const controller = new AbortController();
    const limit = open(1_000, controller.signal);
    controller.abort();
    expect(limit.signal.aborted).toBe(true);
    expect(limit.termination).toBe('cancelled');
  });

  it('remembers the first one', async () => {
    const controller = new AbortController();
    const timedOut = open(1_000, controller.signal);
    await clock.advance(1_000);
    controller.abort();
    expect(timedOut.termination).toBe('timed-out');
    const cancelled = open(0, AbortSignal.abort());
    await clock.advance(1);
    expect(cancelled.termination).toBe('cancelled');
  });

  it.each([0, -1])('is reached at once by a deadline that passed %i ms from now', (durationMs) => {
    const limit = open(durationMs);
    expect(limit.signal.aborted).toBe(true);
    expect(limit.termination).toBe('timed-out');
  });

  it('is not reached any more once it is released', async () => {
    const controller = new AbortController();
    const limit = open(1_000, controller.signal);
    await limit.release();
    expect(clock.sleeping).toBe(0);
    controller.abort();
    await clock.advance(2_000);
    expect(limit.signal.aborted).toBe(false);
  });
});
