import { expect, it } from 'vitest';
import { addUsage } from './add-usage.ts';

it('sums the usage of each model, with thought, cached and tool tokens only if a run reported them', () => {
  expect(
    addUsage([
      { model: 'pro', inputTokens: 10, outputTokens: 1, cachedTokens: 4 },
      { model: 'flash', inputTokens: 3, outputTokens: 2 },
      { model: 'pro', inputTokens: 20, outputTokens: 2, thoughtTokens: 7, cachedTokens: 5 },
    ]),
  ).toEqual([
    { model: 'pro', inputTokens: 30, outputTokens: 3, thoughtTokens: 7, cachedTokens: 9 },
    { model: 'flash', inputTokens: 3, outputTokens: 2 },
  ]);
});
