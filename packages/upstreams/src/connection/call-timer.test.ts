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
  it('begins many calls by one signal, at which Node prints no warning of a leak', async () => {
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

  it('a call that begins later and has to end earlier ends at its own time', async () => {
    const long = times.begin(clock.now() + 900, never);
    const short = times.begin(clock.now() + 100, never);
    await clock.advance(100);
    expect([long.signal.aborted, short.signal.aborted]).toEqual([false, true]);
    await clock.advance(800);
    expect(long.signal.aborted).toBe(true);
    expect(times.size).toBe(0);
  });

  it('a sign of life counts for its call alone', async () => {
    const [silent, loud] = [times.begin(Number.MAX_SAFE_INTEGER, never), times.begin(Number.MAX_SAFE_INTEGER, never)];
    await clock.advance(600);
    loud.heard();
    await clock.advance(600);
    expect([silent.signal.aborted, loud.signal.aborted]).toEqual([true, false]);
    await clock.advance(400);
    expect(loud.signal.aborted).toBe(true);
  });

  it('the time in which the server waits for its user is no silence, and the deadline counts all the same', async () => {
    const patient = times.begin(Number.MAX_SAFE_INTEGER, never);
    const late = times.begin(clock.now() + 3_000, never);
    times.setAsking(true);
    await clock.advance(5_000);
    expect([patient.signal.aborted, late.signal.aborted]).toEqual([false, true]);
    times.setAsking(false);
    await clock.advance(1_000);
    expect(patient.signal.aborted).toBe(true);
  });

  it('UPSTREAM-M1: question after question is no sign of life: only the time of the questions does not count', async () => {
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

  it('an abort of the caller reaches its call, and no timer is left when the calls are over', async () => {
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
