import { expect, it } from 'vitest';
import { costOf, type ModelPrice, modelPrices, priceAt } from './model-prices.ts';

const used = { model: 'pro', inputTokens: 1_000_000, outputTokens: 100_000 };
const atMs = Date.UTC(2026, 10, 30, 23, 59, 59, 999);

const prices: readonly ModelPrice[] = [
  { models: ['pro'], from: '2026-12-01', input: 4, output: 20 },
  { models: ['pro', 'other'], input: 2, output: 10, cached: 0.5 },
  { models: ['long'], input: 2, output: 10, above: { inputTokens: 200_000, factor: 2 } },
];

it.each([
  ['input and output', used, atMs, 3],
  ['thoughts, as output', { ...used, thoughtTokens: 100_000 }, atMs, 4],
  ['cached input, at its own price', { ...used, cachedTokens: 500_000 }, atMs, 2.25],
  ['results of tools, as input', { ...used, toolTokens: 1_000_000 }, atMs, 5],
  ['more cached than sent, as all cached', { ...used, cachedTokens: 2_000_000 }, atMs, 1.5],
  ['from the first moment of a new price', used, atMs + 1, 6],
  ['cached input without a price of its own', { ...used, cachedTokens: 500_000 }, atMs + 1, 6],
  ['up to a limit', { ...used, model: 'long', inputTokens: 200_000 }, atMs, 1.4],
  ['all of it above a limit', { ...used, model: 'long', inputTokens: 200_001 }, atMs, 2.800_004],
  ['nothing', { model: 'pro', inputTokens: 0, outputTokens: 0 }, atMs, 0],
])('charges %s', (_, usage, time, expected) => {
  const price = priceAt(usage.model, time, prices);
  expect(price === null ? null : costOf(usage, price)).toBeCloseTo(expected, 9);
});

it.each(['unknown', 'PRO', '', '__proto__'])('has no price for the model %j', (model) => {
  expect(priceAt(model, atMs, prices)).toBeNull();
});

it('has a price that always held for each model that it names', () => {
  const early = new Set(modelPrices.filter(({ from }) => from === undefined).flatMap(({ models }) => models));
  expect(modelPrices.flatMap(({ models }) => models).filter((model) => !early.has(model))).toEqual([]);
});
