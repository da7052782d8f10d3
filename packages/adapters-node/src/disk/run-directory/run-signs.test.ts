import { describe, expect, it } from 'vitest';
import { isLeftBehind, type RunSigns } from './run-owner.ts';

describe('isLeftBehind', () => {
  it.each<[RunSigns['owner'], number, boolean]>([
    ['alive', 0, false],
    ['alive', 86_400_000, false],
    ['dead', 0, true],
    ['out-of-reach', 0, false],
    ['out-of-reach', 29_999, false],
    ['out-of-reach', 30_000, true],
    ['none', 0, false],
    ['none', 29_999, false],
    ['none', 30_000, true],
  ])('STATE-01, STATE-02: judges a run whose owner is %s, unchanged for %i ms: %s', (owner, unchangedMs, isLeft) => {
    expect(isLeftBehind({ owner, unchangedMs })).toBe(isLeft);
  });
});
