import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cliAnswer } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup, token } from './http-setup.ts';
import { McpHttpClient } from './mcp-http-client.ts';

let setup: HttpSetup;

beforeEach(async () => {
  setup = await HttpSetup.create();
});

afterEach(() => setup.dispose());

function countOf(word: string, text: string): number {
  return text.split(word).length - 1;
}

/** The statuses of a request for the tools with a token, without one, and with a wrong one. */
async function statusesOf({ origin }: HttpServerProcess, right: string): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const token of [right, null, `${right.slice(0, -1)}~`]) {
    const client = new McpHttpClient({ origin, token });
    const { status } = await client.send({ body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    statuses.push(status);
    client.close();
  }
  return statuses;
}

describe('the start of the built HTTP server', () => {
  it('reports its address in one line on stderr, and nothing on stdout', async () => {
    const server = await setup.start();
    const lines = server.stderr.split('\n').filter((line) => line.includes('listening'));
    expect(lines).toEqual([expect.stringMatching(/^listening on http:\/\/127\.0\.0\.1:[1-9]\d*\/mcp$/)]);
    const client = new McpHttpClient({ origin: server.origin, token });
    await client.initialize();
    client.close();
    server.kill('SIGTERM');
    expect(await server.ended).toEqual({ exitCode: 0, signal: null });
    expect(server.stdout).toBe('');
  });

  it.each([
    ['a token created at the start works, is shown once', null],
    ['a token of the environment works, is not shown', token],
  ])('%s, and appears nowhere else at any log level', async (_, given) => {
    await setup.playCli(cliAnswer('ok'));
    const environment = { GEMINI_MCP_PORT: '0', GEMINI_MCP_LOG_LEVEL: 'trace' };
    const server = await setup.spawn({ ...environment, ...(given !== null && { GEMINI_MCP_TOKEN: given }) }).ready();
    await server.until(() => given !== null || server.printedToken !== '');
    const right = given ?? server.printedToken;
    // 256 bits.
    expect(Buffer.from(server.printedToken, 'base64url')).toHaveLength(given === null ? 32 : 0);
    expect(await statusesOf(server, right)).toEqual([200, 401, 401]);
    const client = new McpHttpClient({ origin: server.origin, token: right });
    expect(await client.call('chat', { prompt: 'Hi' })).toMatchObject({ isError: false });
    client.close();
    server.kill('SIGTERM');
    await server.ended;
    expect(server.stderr).toContain('"request"');
    expect(countOf(right, server.stderr)).toBe(given === null ? 1 : 0);
    expect(server.stdout).toBe('');
    expect(await setup.filesHolding(right)).toEqual([]);
  });

  it('each start creates another token', async () => {
    const servers = [setup.spawn({ GEMINI_MCP_PORT: '0' }), setup.spawn({ GEMINI_MCP_PORT: '0' })];
    await Promise.all(servers.map((server) => server.until(() => server.printedToken !== '')));
    expect(new Set(servers.map(({ printedToken }) => printedToken)).size).toBe(2);
  });
});

describe('errors at the start of the built HTTP server', () => {
  const refused = async (
    environment: Readonly<Record<string, string>>,
    flags: readonly string[] = [],
  ): Promise<string> => {
    const server = setup.spawn({ GEMINI_MCP_PORT: '0', ...environment }, flags);
    expect(await server.ended).toEqual({ exitCode: 2, signal: null });
    expect(server.stderr).not.toContain('listening');
    expect(server.stdout).toBe('');
    return server.stderr;
  };

  // Ports in use and invalid tokens are tested with listen, readLocalToken and the settings.
  it('HTTP-20: 0.0.0.0 without a configured token, and no flag omits the token', async () => {
    const said = await refused({}, ['--host', '0.0.0.0']);
    expect(said).toContain('0.0.0.0 is reachable from other machines');
    expect(said).toContain('GEMINI_MCP_TOKEN');
    expect(said).toContain('listen on 127.0.0.1');
    expect(await refused({}, ['--no-auth'])).toContain('--no-auth');
  });

  it('HTTP-20: with a token it does', async () => {
    const server = await setup.start({ GEMINI_MCP_HOST: '0.0.0.0' });
    const { port } = new URL(server.origin);
    const client = new McpHttpClient({ origin: `http://127.0.0.1:${port}`, token });
    expect(await client.request('tools/list')).toHaveProperty('result');
    client.close();
  });

  it.skipIf(process.platform !== 'linux')(
    'SYSTEM-04: a full disk for the token file, without leaving an empty file that the next start would refuse',
    async () => {
      const disk = join(setup.root, 'disk');
      await mkdir(disk);
      const fillThenServe =
        'mount -t tmpfs -o size=4k tmpfs "$0" && echo > "$0/filler" && { "$@"; code=$?; ls -A "$0"; exit $code; }';
      const unshare = process.getuid?.() === 0 ? ['unshare', '-m'] : ['unshare', '-rm'];
      const server = setup.spawn(
        { GEMINI_MCP_PORT: '0', GEMINI_MCP_TOKEN_FILE: join(disk, 'token') },
        [],
        [...unshare, '/bin/sh', '-c', fillThenServe, disk],
      );
      expect(await server.ended).toEqual({ exitCode: 2, signal: null });
      expect(server.stderr).toContain(`${join(disk, 'token')}: cannot be made (ENOSPC)`);
      expect(server.stdout).toBe('filler\n');
    },
  );
});
