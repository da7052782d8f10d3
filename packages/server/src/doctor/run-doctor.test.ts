import { chmod, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { geminiCliUnderTest } from '@gemini-mcp/fake-gemini';
import {
  invalidApiKey,
  type OfflineGeminiApi,
  startOfflineGeminiApi,
  text,
} from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SettingsEnvironment } from '../settings/setting.ts';
import { sampleProgram } from '../testing/sample-program.ts';
import type { Check } from './check.ts';
import { runDoctor } from './run-doctor.ts';

describe('runDoctor on this machine', () => {
  let home: string;
  let state: string;
  let api: OfflineGeminiApi;

  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'gemini-mcp-doctor-')));
    state = join(home, 'state');
    api = await startOfflineGeminiApi();
  });

  afterEach(async () => {
    await api.close();
    await rm(home, { recursive: true, force: true });
  });

  async function examine(
    given: SettingsEnvironment,
    call = false,
  ): Promise<{ readonly checks: ReadonlyMap<string, Check>; readonly passed: boolean; readonly output: string }> {
    // A key that is found is tried: on this API, and not on Google's.
    const { GOOGLE_GEMINI_BASE_URL } = api.environment();
    const usual = { HOME: home, PATH: process.env['PATH'], GEMINI_MCP_STATE_DIR: state, GOOGLE_GEMINI_BASE_URL };
    const environment = { ...usual, ...given };
    const sources = { environment, currentDirectory: home, programPath: process.execPath };
    const options = { program: sampleProgram, sources, version: '1.2.3', json: true, call };
    const { output, passed } = await runDoctor(options, new AbortController().signal);
    const { checks }: { readonly checks: readonly Check[] } = JSON.parse(output);
    return { checks: new Map(checks.map((check) => [check.name, check])), passed, output };
  }

  it('a sound one: the real CLI answers, and leaves no process or file', async () => {
    api.reply(text('ready'));
    const { checks, passed } = await examine({ ...api.environment(), GEMINI_MCP_CLI: geminiCliUnderTest }, true);
    expect(checks.get('Call')).toMatchObject({ status: 'ok', found: expect.stringMatching(/answered in \d+\.\d s$/) });
    expect(checks.get('Gemini CLI')).toMatchObject({ status: 'ok', found: expect.stringContaining('0.61.0 at /') });
    expect(passed).toBe(true);
    // The compiled code of the CLI, from Node 22 on, is kept on purpose.
    expect((await readdir(join(state, 'runs'))).filter((name) => name !== 'compiled')).toEqual([]);
    expect(await readdir(state)).toEqual(['runs']);
  });

  it('a key that Google rejects: what to check, and nowhere the key', async () => {
    api.reply(invalidApiKey());
    const key = 'canary-key-of-the-doctor';
    const environment = { ...api.environment(), GEMINI_API_KEY: key, GEMINI_MCP_CLI: geminiCliUnderTest };
    const { checks, passed, output } = await examine(environment, true);
    expect(checks.get('Call')).toMatchObject({ status: 'fail', fix: expect.stringContaining('Check GEMINI_API_KEY') });
    expect(passed).toBe(false);
    expect(output).not.toContain(key);
  });

  it('no CLI and no login: two things to do', async () => {
    const { checks, passed } = await examine({ GEMINI_MCP_CLI: join(home, 'nowhere') }, true);
    expect(checks.get('Gemini CLI')).toMatchObject({ status: 'fail', fix: expect.stringContaining('npm install -g') });
    expect(checks.get('Login')).toMatchObject({
      status: 'fail',
      fix: expect.stringContaining('aistudio.google.com/apikey'),
    });
    expect(checks.has('Call')).toBe(false);
    expect(passed).toBe(false);
  });

  it('finds a key in the .env of the user, and an account that the CLI keeps', async () => {
    const settings = join(home, '.gemini');
    await mkdir(settings);
    await writeFile(join(settings, '.env'), 'GEMINI_API_KEY=from-the-file\n');
    const { checks } = await examine({ GEMINI_MCP_CLI: geminiCliUnderTest });
    expect(checks.get('Login')).toMatchObject({ status: 'ok', found: 'an API key, in ~/.gemini/.env' });
    await writeFile(join(settings, 'oauth_creds.json'), '{}');
    // Headless: without a working account a warm CLI would wait for a browser.
    const environment = {
      GEMINI_MCP_CLI: geminiCliUnderTest,
      GEMINI_MCP_RUNNER: 'headless',
      GOOGLE_GENAI_USE_GCA: 'true',
    };
    const account = await examine(environment);
    expect(account.checks.get('Login')?.found).toContain('a Google account');
  });

  it('does not create a missing state directory', async () => {
    const { checks } = await examine({ GEMINI_MCP_CLI: geminiCliUnderTest });
    expect(checks.get('State directory')).toMatchObject({ status: 'ok', found: state });
    expect(await readdir(home)).not.toContain('state');
  });

  it('reports a state directory that is a broken link', async () => {
    await symlink(join(home, 'nowhere'), state);
    const { checks } = await examine({ GEMINI_MCP_CLI: geminiCliUnderTest });
    expect(checks.get('State directory')).toMatchObject({ status: 'fail' });
  });

  it('reports a state directory that others can enter, or that is a file', async () => {
    const fix = expect.stringContaining('mode 0700');
    await mkdir(join(state, 'runs'), { recursive: true });
    await chmod(join(state, 'runs'), 0o755);
    const open = await examine({ GEMINI_MCP_CLI: geminiCliUnderTest });
    expect(open.checks.get('State directory')).toMatchObject({ status: 'fail', fix });
    const file = join(home, 'file');
    await writeFile(file, '');
    const none = await examine({ GEMINI_MCP_CLI: geminiCliUnderTest, GEMINI_MCP_STATE_DIR: join(file, 'state') });
    expect(none.checks.get('State directory')).toMatchObject({ status: 'fail', fix });
  });

  it('reports a wrong setting, and makes all other checks', async () => {
    const { checks, passed } = await examine({ GEMINI_MCP_CLI: geminiCliUnderTest, GEMINI_MCP_MAX_RUNNING: 'many' });
    expect(checks.get('Settings')).toMatchObject({
      status: 'fail',
      found: 'GEMINI_MCP_MAX_RUNNING: "many" is not a whole number from 1 to 64',
    });
    expect(checks.has('Sandbox')).toBe(true);
    expect(passed).toBe(false);
  });

  it('does not show a key that was put into the wrong setting', async () => {
    const key = 'Canary-Key-In-The-Wrong-Place';
    const environment = { GEMINI_MCP_CLI: geminiCliUnderTest, GEMINI_API_KEY: key, GEMINI_MCP_MODELS: key };
    const { checks, output } = await examine(environment);
    expect(checks.get('Settings')?.found).toBe('GEMINI_MCP_MODELS: "[redacted]" is not the name of a model');
    expect(output).not.toContain(key);
  });

  it('a variable that does nothing is a warning', async () => {
    const { checks } = await examine({
      GEMINI_MCP_CLI: geminiCliUnderTest,
      GEMINI_MCP_READ_ONLY: '1',
      GEMINI_MCP_ALLOW_YOLO: '1',
    });
    expect(checks.get('Settings')).toMatchObject({
      status: 'warn',
      found: 'GEMINI_MCP_ALLOW_YOLO: It has no effect: the server is read-only.',
    });
  });

  it('looks at what else the program needs', async () => {
    const environment = { GEMINI_MCP_CLI: geminiCliUnderTest };
    expect((await examine({ ...environment, GEMINI_MCP_DOOR: '3' })).checks.get('Door')?.found).toBe('number 3');
    const locked = await examine({ ...environment, GEMINI_MCP_DOOR: '9', GEMINI_API_KEY: 'a-key' });
    expect(locked.checks.get('Door')?.status).toBe('fail');
    expect(locked.passed).toBe(false);
  });
});
