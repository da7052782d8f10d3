import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { cliOpening, whenInvoked } from '@gemini-mcp/fake-gemini';
import { hang, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverPath } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

/** The envelope of a request without handshake. */
const probeMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Each round takes about two seconds with the real CLI; `GEMINI_MCP_KILL_ROUNDS=50` is the full proof. */
const killRounds = Number(process.env['GEMINI_MCP_KILL_ROUNDS'] ?? 1);

describe('the life of the built server', () => {
  let setup: ServerSetup;

  beforeEach(async () => {
    setup = await ServerSetup.create();
  });

  afterEach(() => setup.dispose());

  const callThatHangs = async (): Promise<Awaited<ReturnType<ServerSetup['start']>>> => {
    await setup.playCli([...cliOpening(), { do: 'hang' }]);
    const server = await setup.start();
    server.startCall('gemini_query', { prompt: 'Hi' });
    await whenInvoked(setup.cliDirectory, 1);
    return server;
  };

  it('answers a probe, and then an older client', async () => {
    const server = setup.spawn();
    const probe = await server.request('server/discover', { _meta: probeMeta });
    expect(probe.result).toMatchObject({ resultType: 'complete', supportedVersions: ['2026-07-28'] });
    const { result } = await server.initialize();
    expect(result).toMatchObject({
      serverInfo: { name: 'gemini-mcp-server', version: '1.0.0' },
      capabilities: { tools: {} },
    });
  });

  it('starts nothing and writes nothing for a probe', async () => {
    const server = setup.spawn();
    await server.request('server/discover', { _meta: probeMeta });
    server.endInput();
    expect(await server.ended).toEqual({ exitCode: 0, signal: null });
    expect(await readdir(setup.stateDirectory).catch(() => [])).toEqual([]);
  });

  it('STDIO-03: the end of input ends the process, exit code 0', async () => {
    const server = await setup.start();
    server.endInput();
    expect(await server.ended).toEqual({ exitCode: 0, signal: null });
  });

  it('STDIO-03: half a message, then the end of input: no reply, exit code 0', async () => {
    const server = setup.spawn();
    server.write('{"jsonrpc":"2.0","id":1,"method":"pi');
    server.endInput();
    expect(await server.ended).toEqual({ exitCode: 0, signal: null });
    expect(server.messages).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'STDIO-03: the end of input'] as const)(
    '%s during a call ends the process and everything that it started',
    async (reason) => {
      const server = await callThatHangs();
      if (reason.startsWith('SIG')) {
        server.kill(reason as NodeJS.Signals);
      } else {
        server.endInput();
      }
      expect(await server.ended).toEqual({ exitCode: 0, signal: null });
      expect(await setup.leftovers()).toEqual([]);
    },
  );

  it(
    `CLI-05: kill -9 in the middle of a call leaves no process, and no file after the next start (${killRounds} rounds)`,
    async () => {
      await setup.dispose();
      setup = await ServerSetup.create('headless');
      setup.api.reply(hang());
      for (let round = 0; round < killRounds; round += 1) {
        const server = await setup.start();
        server.startCall('gemini_query', { prompt: 'Hi' });
        await setup.api.whenRequested(round + 1);
        expect(setup.cliProcesses().length).toBeGreaterThan(0);
        server.kill('SIGKILL');
        await server.ended;
        const next = await setup.start();
        expect(await setup.lastingLeftovers()).toEqual([]);
        next.endInput();
        await next.ended;
      }
    },
    killRounds * 20_000,
  );

  it('an invalid setting is reported on stderr by name, with nothing on stdout', async () => {
    const server = setup.spawn({ GEMINI_MCP_ROOTS: '/does/not/exist' });
    expect(await server.ended).toEqual({ exitCode: 2, signal: null });
    expect(server.stderr).toContain('GEMINI_MCP_ROOTS: "/does/not/exist" is not a directory');
    expect(server.messages).toEqual([]);
  });

  it.skipIf(!existsSync('/usr/bin/script'))('started by hand, it says on the terminal what it waits for', async () => {
    const { HOME, PATH } = { ...process.env, ...setup.environment() };
    const command = `${process.execPath} ${serverPath}`;
    const terminal = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], {
      env: { HOME, PATH },
      cwd: setup.project,
    });
    let shown = '';
    terminal.stdout.setEncoding('utf8').on('data', (data: string) => {
      shown += data;
    });
    await expect.poll(() => shown).toContain('Waiting for an MCP client on stdin. To set one up: --print-config');
    terminal.stdin.end('\x04');
    await once(terminal, 'close');
    expect(terminal.exitCode).toBe(0);
  });

  it('CONFIG-05: logs where the CLI lies and its version, once', async () => {
    setup.api.reply(text('ok'));
    const server = await setup.start();
    await server.query({ prompt: 'Hi' });
    await server.query({ prompt: 'Hi' });
    const lines = server.stderr.split('\n').filter((line) => line.includes('"cli-found"'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ version: '0.61.0', path: expect.stringMatching(/^\//) });
  });
});
