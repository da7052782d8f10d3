import { describe, expect, it } from 'vitest';
import { findApiLogin } from './find-api-login.ts';

describe('findApiLogin', () => {
  it.each([
    ['nothing', {}, null],
    ['an empty key', { GEMINI_API_KEY: ' ' }, null],
    ['a key of the Gemini API', { GEMINI_API_KEY: 'one' }, { type: 'gemini-key', apiKey: 'one' }],
    ['either name of it', { GOOGLE_API_KEY: 'two' }, { type: 'gemini-key', apiKey: 'two' }],
    [
      'both names, as the Gemini CLI takes them',
      { GEMINI_API_KEY: 'one', GOOGLE_API_KEY: 'two' },
      { type: 'gemini-key', apiKey: 'one' },
    ],
    ['blanks around a key', { GEMINI_API_KEY: ' one\n' }, { type: 'gemini-key', apiKey: 'one' }],
    [
      'Vertex AI with a key',
      { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_API_KEY: 'two' },
      { type: 'vertex-key', apiKey: 'two' },
    ],
    [
      'its new name',
      { GOOGLE_GENAI_USE_ENTERPRISE: '1', GOOGLE_API_KEY: 'two' },
      { type: 'vertex-key', apiKey: 'two' },
    ],
    [
      'Vertex AI with a key of the Gemini API alone',
      { GOOGLE_GENAI_USE_VERTEXAI: 'true', GEMINI_API_KEY: 'one' },
      null,
    ],
    [
      'Vertex AI switched off',
      { GOOGLE_GENAI_USE_VERTEXAI: 'false', GEMINI_API_KEY: 'one' },
      { type: 'gemini-key', apiKey: 'one' },
    ],
  ])('%s', (_, variables, login) => {
    expect(findApiLogin(variables)).toEqual(login);
  });
});
