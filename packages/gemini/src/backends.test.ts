import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock, ScriptedGeminiRunner } from '@gemini-mcp/core/testing';
import {
  type AcpProcessScript,
  acpUnknownFlag,
  createFakeGeminiCli,
  readAcpProcesses,
  readInvocations,
} from '@gemini-mcp/fake-gemini';
import {
  grounded,
  invalidApiKey,
  type OfflineGeminiApi,
  startOfflineGeminiApi,
  text,
  toolCall,
} from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGemini } from './create-gemini.ts';
import type { GeminiOptions } from './gemini-options.ts';

let root: string;
let api: OfflineGeminiApi;
/** An address and a key. */
let keyed: Readonly<Record<string, string>>;

/** A login of the Gemini CLI that the API does not take. */
const account = { GOOGLE_GENAI_USE_GCA: 'true' };

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-ways-')));
  await mkdir(join(root, 'project'));
  await mkdir(join(root, '.gemini'));
  await writeFile(join(root, '.gemini', 'oauth_creds.json'), '{}');
  await playCli();
  api = await startOfflineGeminiApi();
  api.reply(text('From the API.'));
  keyed = api.environment();
});

afterEach(async () => {
  await api.close();
  await rm(root, { recursive: true, force: true });
});

async function playCli(script: AcpProcessScript = {}): Promise<void> {
  await createFakeGeminiCli({ directory: join(root, 'cli'), acp: { processes: [script] } });
}

function create(environment: Readonly<Record<string, string>>, options: GeminiOptions = {}) {
  return createGemini({
    workingDirectory: join(root, 'project'),
    stateDirectory: join(root, 'state'),
    environment: { HOME: root, PATH: process.env['PATH'], GEMINI_MCP_CLI: join(root, 'cli', 'gemini'), ...environment },
    ...options,
  });
}

/** How many processes of the CLI there were for calls, of both kinds. */
async function countCliProcesses(): Promise<number> {
  const cli = join(root, 'cli');
  return (await readAcpProcesses(cli)).length + (await readInvocations(cli)).length;
}

/** The outcome of a question: the backend of its answer, or the failure. */
async function ask(environment: Readonly<Record<string, string>>, options: GeminiOptions = {}, directory?: string) {
  await using gemini = create(environment, options);
  const result = await gemini.ask('What?', { directory });
  const { by, login, reason } = (result.ok ? result.handledBy : undefined) ?? {};
  const told = result.ok ? { by, login, reason } : { kind: result.failure.kind, text: result.failure.text };
  return { ...told, api: api.requests.length, cli: await countCliProcesses() };
}

const byApi = { by: 'Gemini API', login: 'API key', api: 1, cli: 0 };
const byCli = { by: 'Gemini CLI', api: 0, cli: 1 };

describe('createGemini', () => {
  it('asks the API if the environment has a key, and starts no CLI', async () => {
    expect(await ask(keyed)).toEqual({ ...byApi, reason: 'preferred' });
  });

  it('asks the API with the key of the options', async () => {
    const { GEMINI_API_KEY: apiKey, ...address } = keyed;
    expect(await ask({ ...address, ...account }, { apiKey })).toMatchObject({ by: 'Gemini API', api: 1, cli: 0 });
    expect(api.requests.map(({ apiKey: sent }) => sent)).toEqual([apiKey]);
  });

  it("asks the API if the CLI's own .env has a key", async () => {
    const lines = Object.entries(keyed).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(join(root, '.gemini', '.env'), lines.join(''));
    expect(await ask({})).toEqual({ ...byApi, reason: 'preferred' });
  });

  it('asks the CLI without a key, by a process that stays', async () => {
    const { GEMINI_API_KEY: _, ...address } = keyed;
    expect(await ask({ ...address, ...account })).toMatchObject({ ...byCli, reason: 'needs-login' });
    expect(await readInvocations(join(root, 'cli'))).toEqual([]);
  });

  it.each([
    ['warm', 1, 0],
    ['headless', 0, 1],
  ] as const)('asks the CLI with a key and the backend %s', async (backend, kept, ofCalls) => {
    expect(await ask(keyed, { backend })).toMatchObject({ ...byCli, reason: 'asked-for' });
    expect(await readAcpProcesses(join(root, 'cli'))).toHaveLength(kept);
    expect(await readInvocations(join(root, 'cli'))).toHaveLength(ofCalls);
  });

  it('asks the API with the backend api, whatever login is chosen in the CLI', async () => {
    const settings = { security: { auth: { selectedType: 'oauth-personal' } } };
    await writeFile(join(root, '.gemini', 'settings.json'), JSON.stringify(settings));
    const { GEMINI_API_KEY: key = '', ...address } = keyed;
    const environment = { ...address, GOOGLE_API_KEY: key };
    expect(await ask(environment, { backend: 'api' })).toEqual({ ...byApi, reason: 'asked-for' });
    expect(await ask(environment)).toMatchObject({ by: 'Gemini CLI', api: 1, cli: 1 });
  });

  it('lets Gemini read a directory over the API with model tools', async () => {
    await writeFile(join(root, 'project', 'a.ts'), 'export const a = 1;\n');
    api.reply((_, index) => (index === 0 ? toolCall('view_file', { file_path: 'a.ts' }) : text('One.')));
    expect(await ask(keyed, {}, '.')).toEqual({ ...byApi, api: 2, reason: 'preferred' });
    expect(JSON.stringify(api.requests[1])).toContain('export const a = 1;');
  });

  it('has the tokens counted and searches the web by the API', async () => {
    await using gemini = create(keyed);
    expect(await gemini.context('What?', { count: true })).toMatchObject({
      ok: true,
      countedTokens: expect.any(Number),
    });
    api.reply(grounded('It rains.', [{ title: 'Weather', url: 'https://weather.example/' }]));
    expect(await gemini.search('weather')).toMatchObject({ ok: true, handledBy: { by: 'Gemini API' } });
    expect(api.requests.map(({ method }) => method)).toEqual(['countTokens', 'streamGenerateContent']);
    expect(await countCliProcesses()).toBe(0);
  });
});

describe('another backend', () => {
  it('carries what the process that stays cannot be had for, and the account says so', async () => {
    await playCli(acpUnknownFlag());
    expect(await ask(account)).toMatchObject({ by: 'Gemini CLI', reason: 'unavailable' });
    expect(await readInvocations(join(root, 'cli'))).toHaveLength(1);
  });

  it('is not tried if the API refuses the key', async () => {
    api.reply(invalidApiKey());
    expect(await ask(keyed)).toMatchObject({ kind: 'authentication', cli: 0 });
  });
});

describe('an unavailable backend', () => {
  it.each<[string, GeminiOptions, Readonly<Record<string, string>>, string]>([
    [
      'api without a login',
      { backend: 'api' },
      {},
      'the Gemini API has no login.\nWhat to do: Make an API key at https',
    ],
    [
      'headless without a CLI',
      { backend: 'headless' },
      account,
      "the backend 'auto' and an API key most calls need no CLI.",
    ],
    ['warm without a CLI', { backend: 'warm' }, account, 'Install it with `npm install -g @google/gemini-cli`'],
    ['auto with neither', {}, {}, 'Make an API key at https'],
  ])('says what to do: %s', async (_, options, login, words) => {
    const environment = { PATH: join(root, 'no-programs'), GEMINI_MCP_CLI: '', ...login };
    const told = await ask(environment, options);
    expect(told.text).toContain(words);
    expect(told).toMatchObject({ api: 0, cli: 0 });
  });

  it('makes createGemini throw: an unknown one, one next to a runner, an address where anyone could read the key', () => {
    const backend = JSON.parse('"fast"');
    expect(() => create(keyed, { backend })).toThrow(
      'createGemini has no backend "fast". The backends are: auto, api, warm, headless.',
    );
    const runner = new ScriptedGeminiRunner({ clock: new FakeClock(0), script: () => ({ chunks: [] }) });
    expect(() => create(keyed, { backend: 'api', runner })).toThrow('not both');
    const open = { ...keyed, GOOGLE_GEMINI_BASE_URL: 'http://gateway.example.org' };
    expect(() => create(open, { backend: 'api' })).toThrow('GOOGLE_GEMINI_BASE_URL must begin with https://');
  });

  it('is left out of auto with a warning if the address would let anyone read the key', async () => {
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    const open = { ...keyed, GOOGLE_GEMINI_BASE_URL: 'http://gateway.example.org' };
    expect(await ask(open)).toMatchObject({ by: 'Gemini CLI', api: 0 });
    expect((await warned).message).toMatch(/^The Gemini API is not asked\. GOOGLE_GEMINI_BASE_URL must begin/);
  });
});
