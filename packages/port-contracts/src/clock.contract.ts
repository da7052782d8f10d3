import type { Clock } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';

export type ClockHarness = {
  readonly clock: Clock;
  /** Lets this much time pass on the clock. */
  readonly pass: (durationMs: number) => Promise<void>;
};

export type ClockContractOptions = {
  readonly name: string;
  readonly create: () => ClockHarness;
};

/** What every `Clock` owes. */
export function describeClockContract({ name, create }: ClockContractOptions): void {
  describe(`Clock contract: ${name}`, () => {
    const never = new AbortController().signal;

    it('now() moves on by at least the time that passed', async () => {
      const { clock, pass } = create();
      const before = clock.now();
      await pass(20);
      // A timer may fire within the millisecond before its time.
      expect(clock.now() - before).toBeGreaterThanOrEqual(19);
    });

    it('sleep() resolves once its time has passed', async () => {
      const { clock, pass } = create();
      const slept = clock.sleep(10, never);
      await pass(10);
      await expect(slept).resolves.toBeUndefined();
    });

    it('sleep() of nothing, or of less, resolves', async () => {
      const { clock, pass } = create();
      const slept = Promise.all([clock.sleep(0, never), clock.sleep(-5, never)]);
      await pass(1);
      await expect(slept).resolves.toHaveLength(2);
    });

    it('sleep() rejects with the reason when the signal is already aborted', async () => {
      const { clock } = create();
      await expect(clock.sleep(60_000, AbortSignal.abort('the reason'))).rejects.toBe('the reason');
    });

    it('sleep() rejects with the reason as soon as the signal is aborted', async () => {
      const { clock } = create();
      const controller = new AbortController();
      const slept = clock.sleep(60_000, controller.signal);
      controller.abort('the reason');
      await expect(slept).rejects.toBe('the reason');
    });

    it('sleep() for longer than a month does not end at once', async () => {
      const { clock, pass } = create();
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
  });
}
