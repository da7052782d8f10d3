import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
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

/** The statuses of a request for the tools with and without a token, and of one with a wrong one. */
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
  it('says where it listens in one line on stderr, and nothing on stdout', async () => {
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
    ['a token made at the start works, is shown once', null],
    ['a token of the environment works, is not shown', token],
  ])('%s, and is nowhere else, whatever is logged', async (_, given) => {
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

  it('each start makes another token', async () => {
    const servers = [setup.spawn({ GEMINI_MCP_PORT: '0' }), setup.spawn({ GEMINI_MCP_PORT: '0' })];
    await Promise.all(servers.map((server) => server.until(() => server.printedToken !== '')));
    expect(new Set(servers.map(({ printedToken }) => printedToken)).size).toBe(2);
  });

  it('a token file is made with a token for its owner alone, which the next start takes up, and is not shown', async () => {
    const path = join(setup.root, 'token');
    for (const round of ['made', 'found']) {
      const server = await setup
        .spawn({ GEMINI_MCP_PORT: '0', GEMINI_MCP_TOKEN_FILE: path, GEMINI_MCP_LOG_LEVEL: 'trace' })
        .ready();
      const made = (await readFile(path, 'utf8')).trim();
      expect({ round, bytes: Buffer.from(made, 'base64url').length }).toEqual({ round, bytes: 32 });
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(await statusesOf(server, made)).toEqual([200, 401, 401]);
      server.kill('SIGTERM');
      await server.ended;
      expect(server.stderr).not.toContain(made);
    }
  });
});

describe('what the built HTTP server does not start with', () => {
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

  it.each(['0.0.0.0', '::'])('HTTP-20: %s without a token that somebody has set', async (host) => {
    const said = await refused({}, ['--host', host]);
    expect(said).toContain(`${host} can be reached from other machines`);
    expect(said).toContain('GEMINI_MCP_TOKEN');
    expect(said).toContain('listen on 127.0.0.1');
  });

  it('HTTP-20: with a token it does', async () => {
    const server = await setup.start({ GEMINI_MCP_HOST: '0.0.0.0' });
    const { port } = new URL(server.origin);
    const client = new McpHttpClient({ origin: `http://127.0.0.1:${port}`, token });
    expect(await client.request('tools/list')).toHaveProperty('result');
    client.close();
  });

  it('HTTP-20: there is no flag that leaves the token out', async () => {
    expect(await refused({}, ['--no-auth'])).toContain('--no-auth');
  });

  it('a port that is in use, and what to do', async () => {
    const other: Server = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const said = await refused({ GEMINI_MCP_PORT: port });
    expect(said).toContain(`GEMINI_MCP_PORT (--port): port ${port} of 127.0.0.1 is in use`);
    expect(said).toContain('Choose another port, or 0');
    await new Promise((resolve) => other.close(resolve));
  });

  it('a token file that others can read, and what to do', async () => {
    const path = join(setup.root, 'token');
    await writeFile(path, `${token}\n`, { mode: 0o644 });
    const said = await refused({ GEMINI_MCP_TOKEN_FILE: path });
    expect(said).toContain(`chmod 600 ${path}`);
    expect(said).not.toContain(token);
  });

  it.skipIf(process.platform !== 'linux')(
    'SYSTEM-04: a disk that is full when the token file is made, and leaves no empty file that the next start would refuse',
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

  it('a token that is too short, which it does not repeat', async () => {
    const said = await refused({ GEMINI_MCP_TOKEN: 'canary-short' });
    expect(said).toContain('GEMINI_MCP_TOKEN');
    expect(said).toContain('openssl rand');
    expect(said).not.toContain('canary-short');
  });
});
