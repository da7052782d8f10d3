import { describe, expect, it } from 'vitest';
import type { ModelChain } from '../ports/gemini-runner/runner-capabilities.ts';
import {
  chainFor,
  chainWindowTokens,
  defaultModelChain,
  modelsForOpinion,
  modelWindowTokens,
  selectModelChain,
} from './model-chain.ts';

describe('defaultModelChain', () => {
  it('goes from the best model to the last one', () => {
    expect(defaultModelChain).toEqual([
      'gemini-3.1-pro-preview',
      'gemini-3.8-flash',
      'gemini-3-flash-preview',
      'gemini-3.5-flash-lite',
    ]);
  });
});

describe('chainFor', () => {
  it.each<[string, ModelChain | null, { readonly models?: ModelChain }, ModelChain]>([
    ["is the operator's", ['mine'], { models: ['a', 'b'] }, ['mine']],
    ["is the runner's without one of the operator's", null, { models: ['a', 'b'] }, ['a', 'b']],
    ['is the default if neither has one', null, {}, defaultModelChain],
  ])('%s', (_, configured, capabilities, expected) => {
    expect(chainFor(configured, capabilities)).toEqual(expected);
  });
});

describe('selectModelChain', () => {
  it('tries the whole chain for a caller who names no model', () => {
    expect(selectModelChain(null, ['a', 'b'])).toEqual(['a', 'b']);
  });

  it.each(['c', 'a', ''])('leaves a model that was asked for alone: %j', (model) => {
    expect(selectModelChain(model, ['a', 'b'])).toEqual([model]);
  });
});

describe('modelsForOpinion', () => {
  it.each<[number, number, string, readonly string[]]>([
    [0, 3, 'abcd', ['a', 'd', 'b', 'c']],
    [1, 3, 'abcd', ['b', 'd', 'a', 'c']],
    [2, 3, 'abcd', ['c', 'd', 'a', 'b']],
    [1, 2, 'abcd', ['b', 'c', 'd', 'a']],
    [2, 3, 'ab', ['a', 'b']],
    [2, 3, 'a', ['a']],
    [0, 2, '', []],
  ])('for opinion %i of %i and the chain %s', (index, count, chain, expected) => {
    expect(modelsForOpinion([...chain], { index, count })).toEqual(expected);
  });
});

describe('chainWindowTokens', () => {
  it.each([
    ['gemini-2.5-pro', 1_048_576],
    ['a-model-of-tomorrow', 1_048_576],
    ['gemma-4-31b-it', 256_000],
    ['gemini-3.8-flash', 1_048_576],
    ['gemini-4-carbon', 983_040],
    ['gemini-4.5-flash', 983_040],
    ['gemini-10-pro', 983_040],
    ['gemini-pro-latest', 1_048_576],
  ])('%s takes %d tokens', (model, tokens) => {
    expect(modelWindowTokens(model)).toBe(tokens);
    expect(chainWindowTokens([model])).toBe(tokens);
  });

  it('is the smallest window of the chain, wherever it is', () => {
    expect(chainWindowTokens(['gemini-2.5-pro', 'gemma-4-31b-it', 'gemini-2.5-flash'])).toBe(256_000);
  });
});
