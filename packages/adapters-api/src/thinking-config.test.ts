import { describe, expect, it } from 'vitest';
import { thinkingConfigOf } from './thinking-config.ts';

describe('how much a model is to think', () => {
  it.each([
    'gemini-4-argon',
    'gemini-4-carbon',
    'gemini-3.8-flash',
    'gemini-3.7-flash',
    'gemini-3.5-flash-lite',
    'gemini-3.1-pro-preview',
    'gemini-3.1-pro-preview-customtools',
    'gemini-3-flash-preview',
    'gemini-10-helium',
    'gemini-pro-latest',
    'gemini-flash-lite-latest',
  ])('is a level for %s', (model) => {
    expect(thinkingConfigOf(model, 'low')).toEqual({ thinkingLevel: 'LOW' });
    expect(thinkingConfigOf(model, 'medium')).toEqual({ thinkingLevel: 'MEDIUM' });
    expect(thinkingConfigOf(model, 'high')).toEqual({ thinkingLevel: 'HIGH' });
  });

  it.each(['gemini-3-pro-preview', 'gemini-3-pro'])('is never the level that %s does not have', (model) => {
    expect(thinkingConfigOf(model, 'low')).toEqual({ thinkingLevel: 'LOW' });
    expect(thinkingConfigOf(model, 'medium')).toEqual({ thinkingLevel: 'HIGH' });
  });

  it.each([
    ['gemini-2.5-pro', 128, 32_768],
    ['gemini-2.5-flash', 1, 24_576],
    ['gemini-2.5-flash-lite', 512, 24_576],
    ['gemini-2.5-flash-preview-09-2025', 1, 24_576],
  ])('is a budget that %s takes, the more the higher', (model, least, most) => {
    const budgets = (['low', 'medium', 'high'] as const).map((level) => {
      const config = thinkingConfigOf(model, level);
      return config !== null && 'thinkingBudget' in config ? config.thinkingBudget : Number.NaN;
    });
    expect(budgets).toEqual(budgets.toSorted((one, other) => one - other));
    expect(new Set(budgets).size).toBe(3);
    expect(Math.min(...budgets)).toBeGreaterThanOrEqual(least);
    expect(Math.max(...budgets)).toBeLessThanOrEqual(most);
  });

  it.each([
    'gemma-3-27b-it',
    'gemini-2.0-flash',
    'gemini-1.5-pro',
    'gemini-2.5-flash-image',
    'gemini-3-pro-image',
    'gemini-3.1-flash-image-preview',
    'gemini-2.5-pro-preview-tts',
    'house-model',
    '',
  ])('cannot be said to %s', (model) => {
    expect(thinkingConfigOf(model, 'low')).toBeNull();
  });
});
