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
    [
      'a project without credentials, and a key',
      { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_CLOUD_PROJECT: 'team-1', GOOGLE_API_KEY: 'two' },
      { type: 'vertex-key', apiKey: 'two' },
    ],
  ])('%s', (_, variables, login) => {
    expect(findApiLogin(variables)).toEqual(login);
  });

  it.each([
    ['a file of credentials', { GOOGLE_APPLICATION_CREDENTIALS: '/etc/gemini.json' }, 'global'],
    ['a home', { HOME: '/home/ada', GOOGLE_CLOUD_LOCATION: 'eu' }, 'eu'],
  ])('a project of Google Cloud, with %s', (_, variables, location) => {
    const login = findApiLogin({
      GOOGLE_GENAI_USE_VERTEXAI: 'true',
      GOOGLE_CLOUD_PROJECT: 'team-1',
      GOOGLE_API_KEY: 'two',
      ...variables,
    });
    expect(login).toMatchObject({ type: 'vertex-project', project: 'team-1', location });
  });
});
