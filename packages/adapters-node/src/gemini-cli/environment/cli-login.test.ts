import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { detectAuthType } from './cli-login.ts';

let userDirectory: string;

beforeEach(async () => {
  userDirectory = await mkdtemp(join(tmpdir(), 'login-'));
});

afterEach(() => rm(userDirectory, { recursive: true }));

const chosen = (type: unknown) => JSON.stringify({ security: { auth: { selectedType: type } } });

async function detectFrom(settings: string, environment: Readonly<Record<string, string>> = {}) {
  await writeFile(join(userDirectory, 'settings.json'), settings);
  return detectAuthType({ environment, userDirectory });
}

describe('detectAuthType', () => {
  it.each([
    [{ GOOGLE_GENAI_USE_GCA: 'true', GOOGLE_GENAI_USE_VERTEXAI: 'true', GEMINI_API_KEY: 'k' }, 'oauth-personal'],
    [{ GOOGLE_GENAI_USE_VERTEXAI: '1', GEMINI_API_KEY: 'k' }, 'vertex-ai'],
    [{ GOOGLE_GENAI_USE_GCA: 'false', GEMINI_API_KEY: 'k' }, 'gemini-api-key'],
    [{ GEMINI_API_KEY: '' }, 'compute-default-credentials'],
    [{}, 'compute-default-credentials'],
  ])('the environment %j comes before what the user chose: %s', async (environment, expected) => {
    expect(await detectFrom(chosen('compute-default-credentials'), environment)).toBe(expected);
  });

  it.each(['gemini-api-key', 'vertex-ai', 'oauth-personal', 'compute-default-credentials'])(
    'reads the choice %s',
    async (type) => {
      expect(await detectFrom(chosen(type))).toBe(type);
    },
  );

  it('reads settings with comments, and takes nothing in a text for one', async () => {
    const settings = `// how I log in
      { /* "security": {} */ "theme": "http://x // \\" /* no comment */", "security": {
          "auth": { "selectedType": "oauth-personal" } // see above
      } }`;
    expect(await detectFrom(settings)).toBe('oauth-personal');
  });

  it.each([
    '',
    '{',
    '[]',
    'null',
    '\ufffd\u0000',
    '{"security":{"auth":"oauth-personal"}}',
    chosen('gateway'),
    chosen(['x']),
  ])('ignores broken or unknown settings %j', async (settings) => {
    expect(await detectFrom(settings)).toBeNull();
  });

  it('returns null without settings, or with a directory in their place', async () => {
    expect(detectAuthType({ environment: {}, userDirectory })).toBeNull();
    await mkdir(join(userDirectory, 'settings.json'));
    expect(detectAuthType({ environment: {}, userDirectory })).toBeNull();
  });
});
