import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secretValues } from '@gemini-mcp/adapters-node/internal/startup';
import { createFakeGeminiCli, readAcpProcesses, readInvocations } from '@gemini-mcp/fake-gemini';
import { createEarlyLog } from '@gemini-mcp/server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openAccess } from '../access/open-access.ts';
import { composeHttpServer } from '../composition-root.ts';
import { PARTS } from '../tokens.ts';
import { everySetting, readHttpConfiguration } from './read-http-configuration.ts';

const token = 'Canary-Token-That-No-One-Else-Sees-1';

let home: string;
let cli: string;

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'gemini-mcp-http-secrets-')));
  await mkdir(join(home, 'cli'));
  cli = await createFakeGeminiCli({ directory: join(home, 'cli') });
});

afterEach(() => rm(home, { recursive: true, force: true }));

it.each(['headless', 'warm'])('%s: neither the token nor any setting reaches the CLI', async (preference) => {
  const environment = {
    HOME: home,
    PATH: '/usr/bin:/bin',
    GEMINI_API_KEY: 'a-key-of-the-fake',
    GEMINI_MCP_CLI: cli,
    GEMINI_MCP_STATE_DIR: join(home, 'state'),
    GEMINI_MCP_RUNNER: preference,
    GEMINI_MCP_TOKEN: token,
    GEMINI_MCP_PRINCIPALS_FILE: '/etc/principals.json',
  };
  const { configuration, http } = readHttpConfiguration({ environment, currentDirectory: home });
  const log = createEarlyLog({ level: 'silent', redact: (text) => text, stream: { write: () => undefined } });
  const access = await openAccess({ ...http, principalsFile: null });
  const container = composeHttpServer({ configuration, http, environment, api: null, access, log });
  const [clock, runner] = [container.resolve(PARTS.clock), container.resolve(PARTS.runner)];
  const request = { model: 'gemini-3.1-pro-preview', input: 'Hello', deadlineAtMs: clock.now() + 60_000 };
  const types: string[] = [];
  for await (const event of runner.run(request, new AbortController().signal)) {
    types.push(event.type);
  }
  await Promise.all(container.resolve(PARTS.runners).map((each) => each.close?.()));
  expect(types).toContain('text');

  const directory = join(home, 'cli');
  const started = preference === 'warm' ? await readAcpProcesses(directory) : await readInvocations(directory);
  expect(started.length).toBeGreaterThan(0);
  const settings = everySetting.map(({ variable }) => variable);
  for (const { env, argv } of started) {
    expect(env).toMatchObject({ GEMINI_API_KEY: 'a-key-of-the-fake' });
    expect(Object.keys(env).filter((name) => settings.includes(name))).toEqual([]);
    expect(JSON.stringify({ env, argv })).not.toContain(token);
  }
});

it('the log hides the values of secret settings', () => {
  const secrets = everySetting.flatMap(({ flag, variable }) => (flag === null ? [variable] : []));
  expect(secrets).toEqual(['GEMINI_MCP_TOKEN']);
  expect(secretValues({ GEMINI_MCP_TOKEN: token, GEMINI_MCP_HOST: 'localhost' })).toEqual([token]);
});
