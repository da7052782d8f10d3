import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { raceTimeout } from './race-timeout.ts';

const never = new Promise<void>(() => undefined);

describe('raceTimeout', () => {
  it.each<[string, Promise<void>, (clock: FakeClock, cancellation: AbortController) => unknown]>([
    ['happened', Promise.resolve(), () => undefined],
    ['timed-out', never, (clock) => clock.advance(1_000)],
    ['aborted', never, (_, cancellation) => cancellation.abort()],
  ])('resolves to %s, and leaves no timer', async (end, event, act) => {
    const clock = new FakeClock();
    const cancellation = new AbortController();
    const waiting = raceTimeout({ event, durationMs: 1_000, clock }, cancellation.signal);
    await act(clock, cancellation);
    expect(await waiting).toBe(end);
    expect(clock.sleeping).toBe(0);
    expect(getEventListeners(cancellation.signal, 'abort')).toEqual([]);
  });

  it('waits to the last millisecond', async () => {
    const clock = new FakeClock();
    const waiting = raceTimeout({ event: never, durationMs: 1_000, clock }, new AbortController().signal);
    await clock.advance(999);
    expect(clock.sleeping).toBe(1);
    await clock.advance(1);
    expect(await waiting).toBe('timed-out');
  });

  it('does not wait for one who no longer wants it', async () => {
    const clock = new FakeClock();
    const cancellation = new AbortController();
    cancellation.abort();
    expect(await raceTimeout({ event: never, durationMs: 1_000, clock }, cancellation.signal)).toBe('aborted');
  });
});
