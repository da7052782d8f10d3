import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs } from './next-step.ts';

const almostOne = 1 - Number.EPSILON / 2;

describe('backoffMs', () => {
  it.each([
    ['the first retry, at once', 0, null, 0, 0],
    ['the first retry, as late as can be', 0, null, almostOne, 1_000],
    ['the second retry, in the middle', 1, null, 0.5, 1_000],
    ['the third retry, in the middle', 2, null, 0.5, 2_000],
    ['under the highest ceiling', 40, null, 0.5, 8_000],
    ['a delay that was asked for, and nothing more', 0, 41_200, 0, 41_200],
    ['a delay that was asked for, and a share', 0, 2_000, 0.25, 2_250],
    ['whole milliseconds', 0, null, 0.000_1, 1],
  ])('%s', (_, retries, retryAfterMs, random, delayMs) => {
    expect(backoffMs({ retries, retryAfterMs, random })).toBe(delayMs);
  });

  it('lies between the requested delay and a ceiling of 16 seconds above it', () => {
    const options = fc.record({
      retries: fc.nat({ max: 2_000 }),
      retryAfterMs: fc.option(fc.nat({ max: 600_000 })),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    });
    fc.assert(
      fc.property(options, ({ retries, retryAfterMs, random }) => {
        const ceilingMs = Math.min(16_000, 1_000 * 2 ** retries);
        const delayMs = backoffMs({ retries, retryAfterMs, random });
        expect(delayMs).toBeGreaterThanOrEqual(retryAfterMs ?? 0);
        expect(delayMs).toBeLessThanOrEqual((retryAfterMs ?? 0) + ceilingMs);
      }),
    );
  });
});
