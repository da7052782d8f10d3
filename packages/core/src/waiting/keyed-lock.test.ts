import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { KeyedLock, type LockAttempt } from './keyed-lock.ts';

const never = new AbortController().signal;

function createLock(maxWaiting = 2) {
  const clock = new FakeClock();
  const lock = new KeyedLock({ clock, maxWaiting });
  const outcomes: string[] = [];
  const acquire = async (name: string, options: { key?: string; waitMs?: number; signal?: AbortSignal } = {}) => {
    const { key = 'a', waitMs = 1_000, signal = never } = options;
    const attempt = await lock.acquire(key, clock.now() + waitMs, signal);
    outcomes.push(attempt.acquired ? name : `${name} ${attempt.reason}`);
    return attempt;
  };
  return { clock, lock, outcomes, acquire };
}

function release(attempt: LockAttempt): void {
  expect(attempt.acquired).toBe(true);
  if (attempt.acquired) {
    attempt.release();
  }
}

describe('KeyedLock', () => {
  it('admits one at a time, in order of arrival', async () => {
    const { clock, lock, outcomes, acquire } = createLock();
    const attempts = [acquire('one'), acquire('two'), acquire('three')];
    await clock.advance(0);
    expect(outcomes).toEqual(['one']);
    expect(lock.countOf('a')).toBe(3);
    for (const attempt of attempts) {
      release(await attempt);
    }
    expect(outcomes).toEqual(['one', 'two', 'three']);
    expect(lock.countOf('a')).toBe(0);
    expect(clock.sleeping).toBe(0);
  });

  it('keeps no key from another', async () => {
    const { outcomes, acquire } = createLock();
    await Promise.all([acquire('one'), acquire('two', { key: 'b' })]);
    expect(outcomes).toEqual(['one', 'two']);
  });

  it('gives way once for each that had it, however often it is released', async () => {
    const { clock, lock, outcomes, acquire } = createLock();
    const first = await acquire('one');
    const others = [acquire('two'), acquire('three')];
    release(first);
    release(first);
    await clock.advance(0);
    expect(outcomes).toEqual(['one', 'two']);
    expect(lock.countOf('a')).toBe(2);
    release(await (others[0] ?? first));
    await clock.advance(0);
    expect(outcomes).toEqual(['one', 'two', 'three']);
  });

  it('is busy if no waiting slot is free', async () => {
    const { clock, outcomes, acquire } = createLock(1);
    await acquire('one');
    const waiting = acquire('two');
    await acquire('three');
    expect(outcomes).toEqual(['one', 'three busy']);
    await clock.advance(1_000);
    await waiting;
    expect(outcomes).toEqual(['one', 'three busy', 'two timeout']);
  });

  it('ends a wait at its deadline, and lets the next one in all the same', async () => {
    const { clock, outcomes, acquire } = createLock();
    const first = await acquire('one');
    const waiting = [acquire('two', { waitMs: 10 }), acquire('three')];
    await clock.advance(9);
    expect(outcomes).toEqual(['one']);
    await clock.advance(1);
    expect(outcomes).toEqual(['one', 'two timeout']);
    release(first);
    await Promise.all(waiting);
    expect(outcomes).toEqual(['one', 'two timeout', 'three']);
    expect(clock.sleeping).toBe(0);
  });

  it('leaves no listener on a signal, however a wait ends', async () => {
    const { clock, acquire } = createLock();
    const { signal } = new AbortController();
    const first = await acquire('one', { signal });
    const waiting = [acquire('two', { waitMs: 10, signal }), acquire('three', { signal })];
    await clock.advance(10);
    release(first);
    await Promise.all(waiting);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('loses no wait that is admitted at the moment of its deadline', async () => {
    const alarms: (() => void)[] = [];
    const sleep = (): Promise<void> => new Promise((resolve) => alarms.push(resolve));
    const lock = new KeyedLock({ clock: { now: () => 0, sleep }, maxWaiting: 2 });
    const first = await lock.acquire('a', 10, never);
    const second = lock.acquire('a', 10, never);
    const third = lock.acquire('a', 20, never);
    alarms[0]?.();
    release(first);
    release(await second);
    release(await third);
    expect(lock.countOf('a')).toBe(0);
  });

  it('ends a wait that is cancelled, and leaves no timer', async () => {
    const { clock, lock, outcomes, acquire } = createLock();
    const first = await acquire('one');
    const controller = new AbortController();
    const waiting = acquire('two', { signal: controller.signal });
    controller.abort();
    await waiting;
    expect(outcomes).toEqual(['one', 'two cancelled']);
    await acquire('three', { signal: controller.signal });
    expect(outcomes).toEqual(['one', 'two cancelled', 'three cancelled']);
    await clock.advance(0);
    expect(clock.sleeping).toBe(0);
    release(first);
    expect(lock.countOf('a')).toBe(0);
  });

  it('does not lose the key when a wait is admitted and cancelled at one moment', async () => {
    const { lock, outcomes, acquire } = createLock();
    const first = await acquire('one');
    const controller = new AbortController();
    const waiting = acquire('two', { signal: controller.signal });
    release(first);
    controller.abort();
    release(await waiting);
    expect(outcomes).toEqual(['one', 'two']);
    expect(lock.countOf('a')).toBe(0);
  });
});
