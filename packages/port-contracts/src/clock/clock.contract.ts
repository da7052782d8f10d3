import type { Clock } from '@gemini-mcp/core';
import { describe, expect } from 'vitest';
import { abortReason } from '../abort-reason.ts';
import { listenersLeft } from '../listeners-left.ts';
import { Proof } from '../proof.ts';

export type ClockHarness = {
  readonly clock: Clock;
  /** Advances the clock by this time. */
  readonly pass: (durationMs: number) => Promise<void>;
  /**
   * The number of timers that run for the clock's sleeps, such as `runningTimers` for those of Node. If null, the suite does
   * not test that sleeps leave no timers.
   */
  readonly countTimers: (() => number) | null;
};

export type ClockFeatures = {
  /** `pass` can skip months: the suite tests sleeps of months. */
  readonly leaps: boolean;
};

export type ClockContractOptions = {
  readonly name: string;
  readonly create: () => ClockHarness;
  /** Default: no leaps. */
  readonly features?: ClockFeatures;
  /** As in `ProofOptions`. */
  readonly deadlineMs?: number;
};

/**
 * Every date between 2001 and 2286 has this many milliseconds since the epoch. Seconds and microseconds have another number
 * of digits.
 */
const epochRangeMs = { least: 1e12, most: 1e13 };

/** The promises of every `Clock`. */
export function describeClockContract({ name, create, features, deadlineMs }: ClockContractOptions): void {
  describe(`Clock contract: ${name}`, () => {
    const proof = new Proof({ subject: `Clock ${JSON.stringify(name)}`, deadlineMs });
    const open = (): ClockHarness => {
      const harness = create();
      return { ...harness, clock: proof.watch(harness.clock) };
    };
    describeTime(proof, open);
    describeSleep(proof, open);
    describeAbortedSleep(proof, open);
    if (features?.leaps) {
      describeLongSleep(proof, open);
    }
  });
}

function describeTime(proof: Proof, open: () => ClockHarness): void {
  proof.promise('now() is in milliseconds since the Unix epoch', async () => {
    const { clock } = open();
    expect(clock.now()).toBeGreaterThan(epochRangeMs.least);
    expect(clock.now()).toBeLessThan(epochRangeMs.most);
  });

  proof.promise('now() advances by at least the time that passed', async () => {
    const { clock, pass } = open();
    const before = clock.now();
    await pass(20);
    // A timer may fire within the millisecond before its time.
    expect(clock.now() - before).toBeGreaterThanOrEqual(19);
  });

  proof.promise('now() does not go back while time passes', async () => {
    const { clock, pass } = open();
    const times = [clock.now()];
    for (let step = 0; step < 5; step += 1) {
      await pass(3);
      times.push(clock.now());
    }
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });
}

function describeSleep(proof: Proof, open: () => ClockHarness): void {
  const never = new AbortController().signal;

  proof.promise('sleep() resolves once its time has passed, and not before', async () => {
    const { clock, pass } = open();
    const before = clock.now();
    const slept = clock.sleep(100, never).then(() => clock.now());
    await pass(100);
    expect((await slept) - before).toBeGreaterThanOrEqual(99);
  });

  proof.promise('sleep() resolves to nothing', async () => {
    const { clock, pass } = open();
    const slept = clock.sleep(10, never);
    await pass(10);
    expect(await slept).toBeUndefined();
  });

  proof.promise('concurrent sleeps end in the order of their times, each no earlier than its time', async () => {
    const { clock, pass } = open();
    const before = clock.now();
    const ended: number[] = [];
    const sleep = async (durationMs: number): Promise<number> => {
      await clock.sleep(durationMs, never);
      ended.push(durationMs);
      return clock.now() - before;
    };
    const [late, soon] = [sleep(60), sleep(20)];
    await pass(20);
    await pass(40);
    expect(await late).toBeGreaterThanOrEqual(59);
    expect(await soon).toBeGreaterThanOrEqual(19);
    expect(ended).toEqual([20, 60]);
  });

  proof.promise('sleeps of the same time all end', async () => {
    const { clock, pass } = open();
    const slept = Promise.all([clock.sleep(20, never), clock.sleep(20, never), clock.sleep(20, never)]);
    await pass(20);
    await slept;
  });

  for (const durationMs of [0, -5]) {
    proof.promise(`sleep(${durationMs}) resolves without any time having to pass`, async () => {
      const { clock } = open();
      await clock.sleep(durationMs, never);
    });
  }

  proof.promise('sleep() for longer than a month does not end at once', async () => {
    const { clock, pass } = open();
    const controller = new AbortController();
    let ended = false;
    const slept = clock.sleep(40 * 24 * 3_600_000, controller.signal).then(
      () => {
        ended = true;
      },
      () => undefined,
    );
    await pass(5);
    expect(ended).toBe(false);
    controller.abort();
    await slept;
  });

  proof.promise('a sleep() that has ended leaves no timer and no listener', async () => {
    const { clock, pass, countTimers } = open();
    const { signal } = new AbortController();
    const before = countTimers?.() ?? 0;
    const slept = clock.sleep(10, signal);
    await pass(10);
    await slept;
    expectNoMore(countTimers, before);
    expect(listenersLeft(signal), 'listeners of the signal').toBe(0);
  });
}

function describeLongSleep(proof: Proof, open: () => ClockHarness): void {
  proof.promise('sleep() for longer than a month ends once its time has passed, and not before', async () => {
    const { clock, pass } = open();
    const durationMs = 40 * 24 * 3_600_000;
    const before = clock.now();
    const slept = clock.sleep(durationMs, new AbortController().signal).then(() => clock.now() - before);
    await pass(durationMs - 1_000);
    await pass(1_000);
    expect(await slept).toBeGreaterThanOrEqual(durationMs - 1);
  });
}

function describeAbortedSleep(proof: Proof, open: () => ClockHarness): void {
  for (const durationMs of [60_000, 0]) {
    proof.promise(
      `sleep(${durationMs}) rejects with the reason at once when the signal is already aborted`,
      async () => {
        const { clock, countTimers } = open();
        const before = countTimers?.() ?? 0;
        await expect(clock.sleep(durationMs, AbortSignal.abort(abortReason))).rejects.toBe(abortReason);
        expectNoMore(countTimers, before);
      },
    );
  }

  proof.promise('sleep() rejects with the reason as soon as the signal is aborted', async () => {
    const { clock } = open();
    const controller = new AbortController();
    const slept = clock.sleep(60_000, controller.signal);
    controller.abort(abortReason);
    await expect(slept).rejects.toBe(abortReason);
  });

  proof.promise('an abort ends every sleep on its signal', async () => {
    const { clock } = open();
    const controller = new AbortController();
    const slept = [60_000, 60_000, 90_000].map((durationMs) => clock.sleep(durationMs, controller.signal));
    const came = Promise.allSettled(slept);
    controller.abort(abortReason);
    const reasons = (await came).map((one) => (one.status === 'rejected' ? one.reason : 'it resolved'));
    expect(reasons.map((reason) => reason === abortReason)).toEqual([true, true, true]);
  });

  proof.promise('an aborted sleep() leaves no timer and no listener', async () => {
    const { clock, countTimers } = open();
    const controller = new AbortController();
    const before = countTimers?.() ?? 0;
    const slept = clock.sleep(60_000, controller.signal);
    if (countTimers !== null) {
      expect(countTimers(), 'timers while it sleeps').toBeGreaterThan(before);
    }
    controller.abort(abortReason);
    await slept.catch(() => undefined);
    expectNoMore(countTimers, before);
    expect(listenersLeft(controller.signal), 'listeners of the signal').toBe(0);
  });

  proof.promise('an abort of one sleep leaves the others asleep', async () => {
    const { clock, pass } = open();
    const controller = new AbortController();
    const before = clock.now();
    const aborted = [30, 60_000].map((durationMs) => clock.sleep(durationMs, controller.signal).catch(() => 'aborted'));
    const slept = clock.sleep(30, new AbortController().signal).then(() => clock.now() - before);
    controller.abort();
    expect(await Promise.all(aborted)).toEqual(['aborted', 'aborted']);
    await pass(30);
    expect(await slept).toBeGreaterThanOrEqual(29);
  });

  proof.promise('later sleeps work after an abort', async () => {
    const { clock, pass } = open();
    await clock.sleep(60_000, AbortSignal.abort(abortReason)).catch(() => undefined);
    const before = clock.now();
    const slept = clock.sleep(20, new AbortController().signal).then(() => clock.now() - before);
    await pass(20);
    expect(await slept).toBeGreaterThanOrEqual(19);
  });
}

function expectNoMore(countTimers: ClockHarness['countTimers'], before: number): void {
  expect(countTimers?.() ?? 0, 'timers').toBeLessThanOrEqual(before);
}
