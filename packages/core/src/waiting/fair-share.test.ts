import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fairShare } from './call-queue.ts';

describe('fairShare', () => {
  it.each([
    [0, 0],
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [6, 4],
    [32, 21],
  ])('of %d places is %d', (places, share) => {
    expect(fairShare(places)).toBe(share);
  });

  it('SHARE-01: leaves another owner at least half of what it could hold alone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 10_000 }), (places) => {
        const share = fairShare(places);
        expect(share).toBeGreaterThanOrEqual(1);
        expect(places - share).toBeGreaterThanOrEqual(share / 2);
      }),
    );
  });
});
