import { FakeClock } from '@gemini-mcp/core/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { CallTimer } from './call-timer.ts';

const never = new AbortController().signal;
let clock: FakeClock;
let times: CallTimer;

beforeEach(() => {
  clock = new FakeClock();
  times = new CallTimer({ clock, timeoutMs: 1_000 });
});

describe('CallTimer', () => {
  it('starts many calls with one signal without a leak warning from Node', async () => {
    const warnings: string[] = [];
    const hear = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', hear);
    const { signal } = new AbortController();
    const calls = Array.from({ length: 20 }, () => times.begin(clock.now() + 900, signal));
    for (const { end } of calls) {
      end();
    }
    await new Promise(setImmediate);
    process.off('warning', hear);
    expect(warnings).toEqual([]);
  });

  it('ends a later call with an earlier deadline at its own time', async () => {
    const long = times.begin(clock.now() + 900, never);
    const short = times.begin(clock.now() + 100, never);
    await clock.advance(100);
    expect([long.signal.aborted, short.signal.aborted]).toEqual([false, true]);
    await clock.advance(800);
    expect(long.signal.aborted).toBe(true);
    expect(times.size).toBe(0);
  });

  it('counts a sign of life for its own call only', async () => {
    const [silent, loud] = [times.begin(Number.MAX_SAFE_INTEGER, never), times.begin(Number.MAX_SAFE_INTEGER, never)];
    await clock.advance(600);
    loud.heard();
    await clock.advance(600);
    expect([silent.signal.aborted, loud.signal.aborted]).toEqual([true, false]);
    await clock.advance(400);
    expect(loud.signal.aborted).toBe(true);
  });

  it('does not count the time of a user answer as silence, but keeps the deadline', async () => {
    const patient = times.begin(Number.MAX_SAFE_INTEGER, never);
    const late = times.begin(clock.now() + 3_000, never);
    times.setAsking(true);
    await clock.advance(5_000);
    expect([patient.signal.aborted, late.signal.aborted]).toEqual([false, true]);
    times.setAsking(false);
    await clock.advance(1_000);
    expect(patient.signal.aborted).toBe(true);
  });

  it('UPSTREAM-M1: repeated questions are not signs of life: only their own time is excluded', async () => {
    const call = times.begin(Number.MAX_SAFE_INTEGER, never);
    for (let round = 0; round < 12; round += 1) {
      await clock.advance(100);
      times.setAsking(true);
      await clock.advance(10_000);
      times.setAsking(false);
      if (round < 9) {
        expect(call.signal.aborted).toBe(false);
      }
    }
    expect(call.signal.aborted).toBe(true);
  });

  it('passes an abort of the caller to its call, and leaves no timer after the calls', async () => {
    const aborting = new AbortController();
    const [aborted, other] = [times.begin(clock.now() + 500, aborting.signal), times.begin(clock.now() + 500, never)];
    aborting.abort();
    expect([aborted.signal.aborted, other.signal.aborted]).toEqual([true, false]);
    aborted.end();
    other.end();
    await clock.advance(500);
    expect(clock.sleeping).toBe(0);
    const next = times.begin(clock.now() + 500, never);
    await clock.advance(500);
    expect(next.signal.aborted).toBe(true);
  });

  it('leaves no timer when it is closed', async () => {
    times.begin(clock.now() + 500, never);
    times.close();
    await clock.advance(0);
    expect(clock.sleeping).toBe(0);
  });
});
