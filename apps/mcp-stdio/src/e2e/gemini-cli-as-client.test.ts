import { type ExecFileException, execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { geminiCliUnderTest, text } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

const serverPath = fileURLToPath(new URL('../../dist/gemini-mcp-server.cjs', import.meta.url));
type Said = { readonly exitCode: number; readonly stdout: string; readonly stderr: string };

describe('the real Gemini CLI as a client', () => {
  let setup: ServerSetup;
  let home: string;

  beforeEach(async () => {
    setup = await ServerSetup.create();
    // Its project must be another directory than its home, of which it reads no project settings.
    home = join(setup.root, 'home');
    await mkdir(join(home, '.gemini'), { recursive: true });
    await writeFile(
      join(home, '.gemini', 'settings.json'),
      JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }),
    );
  });

  afterEach(async () => {
    await setup.dispose();
  });

  const gemini = (args: readonly string[], input = ''): Promise<Said> =>
    new Promise((resolve) => {
      const environment = {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        GEMINI_CLI_NO_RELAUNCH: '1',
        NO_COLOR: '1',
        ...setup.api.environment(),
      };
      const options = { cwd: setup.project, env: environment, timeout: 60_000 };
      const child = execFile(process.execPath, [geminiCliUnderTest, ...args], options, (error, stdout, stderr) =>
        resolve({ exitCode: exitCodeOf(error), stdout, stderr }),
      );
      child.stdin?.end(input);
    });

  const add = (): Promise<Said> => {
    const environment = `GEMINI_MCP_STATE_DIR=${join(setup.root, 'state')}`;
    return gemini(['mcp', 'add', 'gemini', process.execPath, serverPath, '--trust', '-e', environment]);
  };

  it('`gemini mcp add` and `gemini mcp list` show the server connected', async () => {
    expect((await add()).stderr).toContain('MCP server "gemini" added');
    expect((await gemini(['mcp', 'list'])).stderr).toMatch(/✓ gemini: .*gemini-mcp-server\.cjs.* - Connected/);
  });

  it('its tools keep their names there', async () => {
    await add();
    setup.api.reply(text('ok'));
    await gemini(['--model=gemini-2.5-pro', '--output-format=stream-json'], 'Which tools do you have?');
    const [request] = setup.api.requests.filter(({ method }) => method === 'streamGenerateContent');
    expect(request?.functionNames).toEqual(
      expect.arrayContaining([
        'mcp_gemini_chat',
        'mcp_gemini_chat-reply',
        'mcp_gemini_geminiChat',
        'mcp_gemini_gemini_context',
        'mcp_gemini_gemini_job',
        'mcp_gemini_gemini_query',
        'mcp_gemini_gemini_read',
        'mcp_gemini_googleSearch',
      ]),
    );
  });

  it('its prompts are commands there, by their own names', async () => {
    await add();
    setup.api.reply(text('ok'));
    await gemini(['--model=gemini-2.5-pro', '--output-format=stream-json'], '/find-bugs --path="src/canary.ts"');
    const [request] = setup.api.requests.filter(({ method }) => method === 'streamGenerateContent');
    expect(request?.userText.join('\n')).toMatch(
      /gemini_query[\s\S]*src\/canary\.ts|src\/canary\.ts[\s\S]*gemini_query/,
    );
  });
});

function exitCodeOf(error: ExecFileException | null): number {
  return typeof error?.code === 'number' ? error.code : 0;
}
