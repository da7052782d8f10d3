import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GeminiCliClient, realServer, type TestProgramEnd } from '@gemini-mcp/fake-gemini';
import { text } from '@gemini-mcp/port-contracts/offline-api';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

const serverPath = fileURLToPath(new URL('../../dist/gemini-mcp-server.cjs', import.meta.url));

type Printed = {
  /** For a shell. */
  readonly line: string;
  readonly mcpServers: { readonly gemini: Readonly<Record<string, unknown>> & { readonly env: object } };
};

describe('the real Gemini CLI as a client', () => {
  let setup: ServerSetup;
  let client: GeminiCliClient;

  beforeEach(async () => {
    setup = await ServerSetup.create();
    client = await GeminiCliClient.create(setup);
  });

  afterEach(() => setup.dispose());

  const add = (): Promise<TestProgramEnd> => {
    const environment = `GEMINI_MCP_STATE_DIR=${join(setup.root, 'state')}`;
    return client.run(['mcp', 'add', 'gemini', process.execPath, serverPath, '--trust', '-e', environment]);
  };

  const printed = async (): Promise<Printed> => {
    const args = [serverPath, '--print-config', 'gemini-cli'];
    const { stdout } = await execa(process.execPath, args, {
      cwd: setup.project,
      env: setup.environment(),
      extendEnv: false,
    });
    const [line = ''] = /^gemini mcp add .*$/m.exec(stdout) ?? [];
    return { ...JSON.parse(stdout.slice(stdout.indexOf('{\n'))), line };
  };

  /** The environment of a program that is started in place of the server. */
  const environmentOf = async (server: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const seen = join(setup.root, 'seen.json');
    const recorder = `require('node:fs').writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env))`;
    await client.writeSettings({ mcpServers: { gemini: { ...server, args: ['-e', recorder] } } });
    await client.run(['mcp', 'list']);
    return JSON.parse(await readFile(seen, 'utf8'));
  };

  it('`gemini mcp add` and `gemini mcp list` show the server connected; its tools and prompts keep their names there', async () => {
    expect((await add()).stderr).toContain('MCP server "gemini" added');
    expect((await client.run(['mcp', 'list'])).stderr).toMatch(/✓ gemini: .*gemini-mcp-server\.cjs.* - Connected/);
    setup.api.reply(text('ok'));
    await client.run(
      ['--model=gemini-3.1-pro-preview', '--output-format=stream-json'],
      '/find-bugs --path="src/canary.ts"',
    );
    const [request] = setup.api.requests.filter(({ method }) => method === 'streamGenerateContent');
    expect(request?.userText.join('\n')).toMatch(
      /gemini_query[\s\S]*src\/canary\.ts|src\/canary\.ts[\s\S]*gemini_query/,
    );
    const tools = ['chat', 'chat-reply', 'geminiChat', 'gemini_context', 'gemini_job', 'gemini_query', 'googleSearch'];
    expect(request?.functionNames).toEqual(expect.arrayContaining(tools.map((name) => `mcp_gemini_${name}`)));
  });

  it('what --print-config prints connects the server, which then has the login; a variable that the shell lacks is empty', async () => {
    const { mcpServers } = await printed();
    await client.writeSettings({ mcpServers });
    expect((await client.run(['mcp', 'list'])).stderr).toMatch(/✓ gemini: .*gemini-mcp-server\.cjs.* - Connected/);
    const { GEMINI_API_KEY } = setup.api.environment();
    expect(GEMINI_API_KEY).toBeTruthy();
    const env = { ...mcpServers.gemini.env, GOOGLE_CLOUD_PROJECT: '$GOOGLE_CLOUD_PROJECT' };
    const seen = await environmentOf({ ...mcpServers.gemini, env });
    expect(seen).toMatchObject({ GEMINI_API_KEY, GOOGLE_CLOUD_PROJECT: '' });
  });

  it('the line of a shell that --print-config prints makes the settings that it prints', async () => {
    const { line, mcpServers } = await printed();
    const script = `gemini() { printf '%s\\0' "$@"; }; ${line}`;
    const { stdout } = await execa('/bin/sh', ['-c', script]);
    await client.run(stdout.split('\0').slice(0, -1));
    const settings = await readFile(join(setup.root, 'home', '.gemini', 'settings.json'), 'utf8');
    expect(JSON.parse(settings)).toMatchObject({ mcpServers });
  });

  it('prompts of other servers are commands there too, with all their messages', async () => {
    const env = {
      GEMINI_MCP_STATE_DIR: join(setup.root, 'state'),
      ...(await setup.writeServers({ everything: realServer('everything') })),
      GEMINI_MCP_OFFER_SERVERS: 'everything',
    };
    await client.writeSettings({
      mcpServers: { gemini: { command: process.execPath, args: [serverPath], trust: true, env } },
    });
    setup.api.reply(text('ok'));
    await client.run(
      ['--model=gemini-3.1-pro-preview', '--output-format=stream-json'],
      '/everything__args-prompt --city="Bonn"',
    );
    const [request] = setup.api.requests.filter(({ method }) => method === 'streamGenerateContent');
    expect(request?.userText.join('\n')).toContain("What's weather in Bonn?");
    expect(request?.functionNames).toContain('mcp_gemini_everything__get-sum');
  });
});
