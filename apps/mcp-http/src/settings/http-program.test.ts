import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandResult, parseCommandLine, runTerminalCommand } from '@gemini-mcp/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { httpClientNames, httpProgram } from './http-program.ts';

const token = 'Canary-Token-Of-The-Http-Program-1';

describe('the commands of the HTTP server', () => {
  let home: string;

  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'gemini-mcp-http-program-')));
  });

  afterEach(() => rm(home, { recursive: true, force: true }));

  function run(args: readonly string[], given: Record<string, string> = {}): Promise<CommandResult> {
    const { mode, flags } = parseCommandLine(args, httpProgram);
    if (mode.kind === 'serve') {
      throw new Error('Not a command');
    }
    const environment = { HOME: home, GEMINI_MCP_STATE_DIR: join(home, 'state'), PATH: home, ...given };
    const started = { nodePath: '/bin/node', programPath: '/opt/server.cjs', environment, currentDirectory: home };
    const { signal } = new AbortController();
    return runTerminalCommand({ ...started, program: httpProgram, version: '1.2.3', mode, flags }, signal);
  }

  it('--help shows both tables, every client, and lines that fit a terminal', async () => {
    const { output } = await run(['--help']);
    for (const name of [...httpProgram.settings.map(({ variable }) => variable), ...httpClientNames]) {
      expect(output).toContain(name);
    }
    expect(output).not.toMatch(/--token[ =]|`|\]\(/);
    expect(Math.max(...output.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  it('the token has no flag', () => {
    expect(() => parseCommandLine([`--token=${token}`], httpProgram)).toThrow('--token: there is no such flag.');
  });

  it.each(httpClientNames)('--print-config %s writes no token', async (client) => {
    const { output, note, exitCode } = await run(['--print-config', client], { GEMINI_MCP_TOKEN: token });
    expect(output + note).not.toContain(token);
    expect(output).toContain('http://127.0.0.1:3000/');
    expect(exitCode).toBe(0);
  });

  it.each([
    [['--port=8080'], 'http://127.0.0.1:8080/mcp'],
    [['--host=::1'], 'http://[::1]:3000/mcp'],
    [['--host=0.0.0.0'], 'http://127.0.0.1:3000/mcp'],
    [['--host=gemini.example.com'], 'http://gemini.example.com:3000/mcp'],
    [
      ['--oauth-issuer=https://login.example.com', '--oauth-audience=https://gemini.example.com/mcp'],
      'https://gemini.example.com/mcp',
    ],
  ])('--print-config with %j names %s', async (args, url) => {
    const { output } = await run(['--print-config', 'codex', ...args], { GEMINI_MCP_TOKEN: token });
    expect(output).toContain(`url = "${url}"`);
  });

  it('--print-config with OAuth says that no token is needed', async () => {
    const oauth = ['--oauth-issuer=https://login.example.com', '--oauth-audience=https://gemini.example.com/mcp'];
    expect((await run(['--print-config', 'cursor', ...oauth])).note).toContain('OAuth needs only the address');
    expect((await run(['--print-config', 'cursor'])).note).not.toContain('OAuth');
  });

  it('--print-config has no links', async () => {
    await expect(run(['--print-config', 'cursor', '--link'])).rejects.toThrow(
      '--link: only gemini-mcp-server has links',
    );
  });

  it('--print-config names no unknown port', async () => {
    await expect(run(['--print-config', 'codex'], { GEMINI_MCP_PORT: '0' })).rejects.toThrow(
      'GEMINI_MCP_PORT (--port): with 0 the port is known only once the server listens',
    );
  });

  it('doctor checks the server and the calls, and shows no token', async () => {
    const given = { GEMINI_MCP_TOKEN: token, GEMINI_MCP_MODELS: token, GEMINI_MCP_CLI: join(home, 'nowhere') };
    const { output, exitCode } = await run(['doctor', '--no-call', '--port=0'], given);
    expect(output).toMatch(/^gemini-mcp-server-http 1\.2\.3\n/);
    expect(output).toMatch(/\nfail {2}Settings +GEMINI_MCP_MODELS: "\[redacted\]" is not the name of a model\n/);
    expect(output).toMatch(/\n\w+ +Address +/);
    expect(output).toMatch(/\nfail {2}Gemini CLI/);
    expect(output).not.toContain(token);
    expect(exitCode).toBe(1);
  });

  it('doctor --json: a free port and a configured token are fine', async () => {
    const { output } = await run(['doctor', '--json', '--no-call', '--port=0'], {
      GEMINI_MCP_TOKEN: token,
      GEMINI_MCP_CLI: join(home, 'nowhere'),
    });
    const { checks } = JSON.parse(output);
    expect(checks).toContainEqual({ name: 'Address', status: 'ok', found: 'a free port of 127.0.0.1', fix: null });
    expect(checks).toContainEqual({ name: 'Token', status: 'ok', found: 'set (GEMINI_MCP_TOKEN)', fix: null });
  });

  it('doctor reports a server that is open to everyone', async () => {
    const { output } = await run(['doctor', '--no-call', '--host=0.0.0.0'], {
      GEMINI_MCP_CLI: join(home, 'nowhere'),
    });
    expect(output).toMatch(
      /\nfail {2}Settings +GEMINI_MCP_HOST \(--host\): 0\.0\.0\.0 is reachable from other machines/,
    );
  });
});
