import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
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

  const project = { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_CLOUD_PROJECT: 'team-1', GOOGLE_API_KEY: 'two' };

  function makeHome(): string {
    const home = mkdtempSync(join(tmpdir(), 'gcloud-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    return home;
  }

  it('finds a Google Cloud project with a named credentials file, even a missing one', () => {
    const login = findApiLogin({ ...project, GOOGLE_APPLICATION_CREDENTIALS: '/never/there.json' });
    expect(login).toMatchObject({ type: 'vertex-project', project: 'team-1', location: 'global' });
  });

  it('finds a Google Cloud project with the file that gcloud writes, and not without it', () => {
    const HOME = makeHome();
    const variables = { ...project, HOME, GOOGLE_CLOUD_LOCATION: 'eu' };
    expect(findApiLogin(variables)).toEqual({ type: 'vertex-key', apiKey: 'two' });
    mkdirSync(join(HOME, '.config', 'gcloud'), { recursive: true });
    writeFileSync(join(HOME, '.config', 'gcloud', 'application_default_credentials.json'), '{}');
    expect(findApiLogin(variables)).toMatchObject({ type: 'vertex-project', project: 'team-1', location: 'eu' });
  });
});
