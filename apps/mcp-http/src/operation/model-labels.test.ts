import { expect, it } from 'vitest';
import { ModelLabels } from './create-metrics.ts';

it('a model of the chain has its name from the start, another once it has answered, and the rest share one', () => {
  const labels = new ModelLabels(['pro', 'flash']);
  expect(['pro', 'flash', 'lite', 'x"y'].map((model) => labels.labelOf(model))).toEqual([
    'pro',
    'flash',
    'other',
    'other',
  ]);
  labels.learn('lite');
  expect(labels.labelOf('lite')).toBe('lite');
});

it('at most twenty beyond the chain', () => {
  const labels = new ModelLabels(['pro']);
  const names = Array.from({ length: 1_000 }, (_, index) => `model-${index}`);
  for (const name of names) {
    labels.learn(name);
  }
  expect(new Set([...names, 'pro'].map((name) => labels.labelOf(name))).size).toBe(22);
});
