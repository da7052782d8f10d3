import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '@gemini-mcp/adapters-node';
import type { RunnerPreference } from '@gemini-mcp/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiAccess, findApiAccess } from './find-api-access.ts';

let home: string;
let faults: string[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'api-access-'));
  await mkdir(join(home, '.gemini'));
  faults = [];
});

afterEach(() => rm(home, { recursive: true }));

function find(environment: Environment, preference: RunnerPreference = 'auto'): ApiAccess | null {
  return findApiAccess({
    preference,
    userDirectory: join(home, '.gemini'),
    environment,
    onFault: (fault) => faults.push(fault),
  });
}

async function chooseInCli(selectedType: string): Promise<void> {
  await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify({ security: { auth: { selectedType } } }));
}

describe('findApiAccess', () => {
  it.each(['warm', 'headless'] as const)('is null where everything stays on the CLI: %s', async (runner) => {
    expect(find({ GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: 'http://example.org' }, runner)).toBeNull();
    expect(faults).toEqual([]);
  });

  it.each<[string, Environment, unknown]>([
    ['nothing', {}, null],
    ['a key', { GEMINI_API_KEY: 'k' }, { type: 'gemini-key', apiKey: 'k' }],
    ['the other name of it', { GOOGLE_API_KEY: 'g' }, { type: 'gemini-key', apiKey: 'g' }],
    [
      'Vertex AI with a key',
      { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_API_KEY: 'g', GEMINI_API_KEY: 'k' },
      { type: 'vertex-key', apiKey: 'g' },
    ],
    ['a Google account, although there is a key', { GOOGLE_GENAI_USE_GCA: 'true', GEMINI_API_KEY: 'k' }, null],
  ])('gives the API the login of the CLI: %s', async (_, environment, login) => {
    expect(find(environment)?.login).toEqual(login);
  });

  it("prefers a key in the environment to the CLI's choice, as the CLI does", async () => {
    await chooseInCli('oauth-personal');
    expect(find({ GEMINI_API_KEY: 'k' })?.login).toEqual({ type: 'gemini-key', apiKey: 'k' });
  });

  it('takes no key that a run of the CLI would leave unused', async () => {
    await chooseInCli('oauth-personal');
    expect(find({ GOOGLE_API_KEY: 'g' })?.login).toBeNull();
    expect(find({ GOOGLE_API_KEY: 'g' }, 'api')?.login).toEqual({ type: 'gemini-key', apiKey: 'g' });
  });

  it('asks Vertex AI where that is chosen in the CLI', async () => {
    await chooseInCli('vertex-ai');
    expect(find({ GOOGLE_API_KEY: 'g' })?.login).toEqual({ type: 'vertex-key', apiKey: 'g' });
  });

  it('reads the .env of the user, after the environment', async () => {
    await writeFile(
      join(home, '.gemini', '.env'),
      'GEMINI_API_KEY=of-the-file\nHTTPS_PROXY=http://of-the-file:1\nGOOGLE_GEMINI_BASE_URL=https://example.org\n',
    );
    expect(find({ HTTPS_PROXY: 'http://own:1' })).toEqual({
      login: { type: 'gemini-key', apiKey: 'of-the-file' },
      geminiBaseUrl: 'https://example.org',
      proxies: { http: null, https: 'http://own:1', except: null },
    });
  });

  it.each(['GOOGLE_GEMINI_BASE_URL', 'GOOGLE_VERTEX_BASE_URL'])(
    'sends no key to where anyone on the way could read it: %s',
    async (name) => {
      const environment = Object.fromEntries([
        ['GEMINI_API_KEY', 'k'],
        [name, 'http://gateway.example.org'],
      ]);
      expect(find(environment)).toBeNull();
      expect(faults).toEqual([expect.stringContaining(name)]);
      expect(find(environment, 'api')).toEqual({ login: null, fault: faults[0] });
    },
  );

  it('takes servers of this machine', async () => {
    const environment = { GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:1', GOOGLE_VERTEX_BASE_URL: 'http://[::1]:2' };
    expect(find(environment)).toMatchObject({
      geminiBaseUrl: 'http://127.0.0.1:1',
      vertexBaseUrl: 'http://[::1]:2',
    });
  });
});
