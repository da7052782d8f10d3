import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallDurations } from './call-queue.ts';

function after(durations: readonly number[]): number {
  const recorded = new CallDurations();
  for (const durationMs of durations) {
    recorded.record(durationMs);
  }
  return recorded.averageMs;
}

describe('CallDurations', () => {
  it('believes in 20 seconds until a call has ended', () => {
    expect(after([])).toBe(20_000);
  });

  it('comes near what calls take after some of them', () => {
    expect(after([1_000])).toBe(16_200);
    expect(after(Array(10).fill(1_000))).toBeLessThan(3_100);
    expect(after(Array(10).fill(120_000))).toBeGreaterThan(100_000);
  });

  it('lies between the shortest and the longest, whatever came', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 3_600_000 }), { maxLength: 50 }), (durations) => {
        expect(after(durations)).toBeGreaterThanOrEqual(Math.min(20_000, ...durations) - 1e-6);
        expect(after(durations)).toBeLessThanOrEqual(Math.max(20_000, ...durations) + 1e-6);
      }),
    );
  });
});
