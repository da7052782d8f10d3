import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeReady } from '@gemini-mcp/mcp/internal';
import { createLog, findApiAccess, readConfiguration, serverSettingList } from '@gemini-mcp/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composeStdioServer } from './composition-root.ts';
import { SURFACES } from './tokens.ts';
import { readToolsAtStart, settingsBesideTools } from './tools-at-start.ts';

const built = [{ name: 'of the build' }];

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'tools-at-start-')));
  await mkdir(join(root, '.gemini'));
  await writeFile(join(root, 'tools.json'), JSON.stringify(built));
});

afterEach(() => rm(root, { recursive: true, force: true }));

type Environment = Readonly<Record<string, string>>;

const configurationOf = (environment: Environment): ReturnType<typeof readConfiguration>['configuration'] =>
  readConfiguration({ environment, currentDirectory: root }).configuration;

/** What a client that starts the server with these variables is told before anything is loaded. */
function atStart(variables: Environment = {}, flags: ReadonlyMap<string, string> = new Map()): unknown {
  const environment = { HOME: root, ...variables };
  return readToolsAtStart({ environment, flags, configuration: configurationOf({ HOME: root }), bundle: root });
}

/** What the server itself lists with these variables. */
async function listed(variables: Environment = {}): Promise<string> {
  const environment = { HOME: root, GEMINI_MCP_STATE_DIR: join(root, 'state'), ...variables };
  const log = createLog({ level: 'silent', redact: (text) => text, stream: process.stderr });
  const configuration = configurationOf(environment);
  const { runner: preference, userDirectory } = configuration;
  const api = findApiAccess({ preference, userDirectory, environment, onFault: () => undefined });
  const container = composeStdioServer({ configuration, environment, api, log });
  const { listedTools } = await makeReady(await container.resolve(SURFACES)(null));
  return JSON.stringify(listedTools);
}

const unusual: Readonly<Record<string, readonly string[]>> = {
  GEMINI_MCP_ALLOW_SENSITIVE: ['1'],
  GEMINI_MCP_MODELS: ['gemini-3.8-flash'],
  GEMINI_MCP_CLI: ['npx'],
  GEMINI_MCP_ALLOW_GOOGLE_LOGS: ['1'],
  GEMINI_CLI_CHAT_TIMEOUT_MS: ['61000'],
  GEMINI_CLI_SEARCH_TIMEOUT_MS: ['61000'],
  GEMINI_MCP_CALL_LIMIT_SECONDS: ['0', '60'],
  GEMINI_MCP_PAGE_BYTES: ['4000'],
  GEMINI_MCP_PROFILE: ['small', 'shared'],
  GEMINI_MCP_MAX_RUNNING: ['1'],
  GEMINI_MCP_SERVERS_FILE: ['off'],
  GEMINI_MCP_OFFER_AS: ['listed', 'searched'],
  GEMINI_MCP_CREDENTIALS: ['keychain'],
  GEMINI_MCP_SESSION_RETENTION_DAYS: ['0', 'forever'],
  GEMINI_MCP_LOG_LEVEL: ['trace'],
};

describe('the tools that the build lists', () => {
  it.each([...settingsBesideTools])('are those of a server with %s', async (variable) => {
    const usual = await listed();
    // The others take directories.
    for (const value of unusual[variable] ?? [root]) {
      expect([value, await listed({ [variable]: value })]).toEqual([value, usual]);
      expect(atStart({ [variable]: value })).toEqual(built);
    }
  });

  it.each([
    ['no login', {}],
    ['a key for the API', { GEMINI_API_KEY: 'a-key' }],
    ['a key by its other name', { GOOGLE_API_KEY: 'a-key' }],
    ['a project that nothing uses', { GOOGLE_CLOUD_PROJECT: 'a-project' }],
  ])('are those of a server with %s', async (_, variables) => {
    expect(await listed(variables)).toBe(await listed());
    expect(atStart(variables)).toEqual(built);
  });

  const others = serverSettingList.filter(({ variable }) => !settingsBesideTools.has(variable));

  it.each(others)('are not told with $variable', ({ variable, flag }) => {
    expect(atStart({ [variable]: 'x' })).toBeNull();
    expect(atStart({ [variable]: '' })).toEqual(built);
    expect(atStart({}, new Map([[flag ?? '', 'x']]))).toBeNull();
  });

  it.each([
    ['GOOGLE_GENAI_USE_VERTEXAI', 'true'],
    ['GOOGLE_GENAI_USE_ENTERPRISE', '1'],
    ['GOOGLE_GEMINI_BASE_URL', 'http://example.com'],
    ['GOOGLE_VERTEX_BASE_URL', 'http://example.com'],
  ])('are not told with %s, in the environment or in a file of the CLI', async (variable, value) => {
    expect(atStart({ [variable]: value })).toBeNull();
    for (const file of [join(root, '.gemini', '.env'), join(root, '.env')]) {
      await writeFile(file, `export ${variable}="${value}"\n`);
      expect(atStart()).toBeNull();
      await rm(file);
    }
    expect(atStart()).toEqual(built);
  });

  it('are not told if the user chose Vertex AI in the CLI', async () => {
    await writeFile(
      join(root, '.gemini', 'settings.json'),
      JSON.stringify({ security: { auth: { selectedType: 'vertex-ai' } } }),
    );
    expect(atStart()).toBeNull();
  });

  it('are unknown without the file of the build', async () => {
    await rm(join(root, 'tools.json'));
    expect(atStart()).toBeNull();
  });
});
