import { describe, expect, it } from 'vitest';
import { isSameModel } from './is-same-model.ts';

describe('isSameModel', () => {
  it.each([
    ['gemini-3.8-flash', 'gemini-3.8-flash'],
    ['gemini-3.8-flash', 'gemini-3.8-flash-001'],
    ['gemini-3.8-flash-001', 'gemini-3.8-flash'],
    ['gemini-3.8-flash', 'models/gemini-3.8-flash'],
    ['gemini-3.8-flash', 'publishers/google/models/gemini-3.8-flash-002'],
    ['gemini-3-pro-preview', 'gemini-3.1-pro-preview'],
    ['gemini-3.1-pro-preview', 'gemini-3.1-pro-preview-customtools'],
    ['gemini-3.5-flash', 'gemini-3-flash'],
    ['gemini-flash-latest', 'gemini-3.8-flash'],
    ['auto', 'gemini-3.1-pro-preview'],
  ])('%s is %s', (asked, answered) => {
    expect(isSameModel(asked, answered)).toBe(true);
  });

  it.each([
    ['gemini-2.5-pro', 'gemini-3.8-flash'],
    ['gemini-2.5-flash', 'gemini-3.5-flash-lite'],
    ['gemini-3.5-flash', 'gemini-3.8-flash'],
    ['gemini-3.8-flash', 'gemini-3.8-flash-lite'],
    ['gemini-3.8-flash', 'gemini-3.8-flash-preview-09-2026'],
    ['gemini-3.1-pro-preview', 'gemini-2.5-pro'],
    ['gemma-4-31b-it', 'gemma-4-26b-a4b-it'],
  ])('%s is not %s (MODEL-01)', (asked, answered) => {
    expect(isSameModel(asked, answered)).toBe(false);
  });
});
