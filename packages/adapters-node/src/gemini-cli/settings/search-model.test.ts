import { describe, expect, it } from 'vitest';
import { searchWithModel } from './cli-settings.ts';

describe('searchWithModel', () => {
  it.each([
    ['gemini-2.5-pro', 'gemini-2.5-pro'],
    ['gemini-3-pro-preview', 'gemini-3.1-pro-preview'],
    ['flash', 'gemini-3.8-flash'],
    ['constructor', 'constructor'],
  ])('%s searches with %s', (model, searching) => {
    expect(searchWithModel(model)).toEqual({
      customAliases: {
        'web-search': {
          extends: 'base',
          modelConfig: { model: searching, generateContentConfig: { tools: [{ googleSearch: {} }] } },
        },
      },
    });
  });
});
