import { readFileSync } from 'node:fs';
import { hang, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

/** Each round takes a few seconds with the real CLI; `GEMINI_MCP_KILL_ROUNDS=50` is the full proof. */
const killRounds = Number(process.env['GEMINI_MCP_KILL_ROUNDS'] ?? 2);

let setup: ServerSetup;

beforeEach(async () => {
  setup = await ServerSetup.create('warm');
});

afterEach(async () => {
  await setup.dispose();
});

/** A server with a warm process that has answered, and another call under way on it. */
async function callThatHangs(): Promise<ServerProcess> {
  setup.api.reply(text('ok'));
  const server = await setup.start();
  expect(await server.query({ prompt: 'Hi' })).toMatchObject({ isError: false });
  setup.api.reply(hang());
  const asked = generations();
  server.start('tools/call', { name: 'gemini_query', arguments: { prompt: 'Hi' } });
  await setup.api.whenRequested(asked + 1);
  return server;
}

function generations(): number {
  return setup.api.requests.filter(({ method }) => method === 'streamGenerateContent').length;
}

/** The processes of the CLI's session mode. */
function warmProcesses(): readonly number[] {
  return setup.cliProcesses().filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('\0--acp'));
}

function killWarmProcesses(): void {
  for (const pid of warmProcesses()) {
    process.kill(pid, 'SIGKILL');
  }
}

describe('warm processes of the built server', () => {
  it('one process carries call after call', async () => {
    setup.api.reply(text('ok'));
    const server = await setup.start();
    await server.query({ prompt: 'Hi' });
    const first = warmProcesses();
    await server.query({ prompt: 'Hi' });
    expect(first).not.toEqual([]);
    expect(warmProcesses()).toEqual(first);
  });

  it('none is started before the first call', async () => {
    setup.api.reply(text('ok'));
    const server = await setup.start();
    await server.request('tools/list');
    await server.call('gemini_context', { prompt: 'Hi' });
    expect(server.stderr).not.toContain('warm-started');
    expect(setup.cliProcesses()).toEqual([]);
    await server.query({ prompt: 'Hi' });
    expect(warmProcesses()).not.toEqual([]);
  });

  it.each(['SIGTERM', 'the end of input'] as const)('%s during a call: exit code 0, nothing left', async (reason) => {
    const server = await callThatHangs();
    if (reason === 'SIGTERM') {
      server.kill(reason);
    } else {
      server.endInput();
    }
    expect(await server.ended).toEqual({ exitCode: 0, signal: null });
    expect(await setup.leftovers()).toEqual([]);
  });

  it(
    `CLI-05: kill -9 of the server leaves no process, and no file after the next start (${killRounds} rounds)`,
    async () => {
      for (let round = 0; round < killRounds; round += 1) {
        const server = await callThatHangs();
        expect(warmProcesses()).not.toEqual([]);
        server.kill('SIGKILL');
        await server.ended;
        const next = await setup.start();
        expect(await setup.lastingLeftovers()).toEqual([]);
        next.endInput();
        await next.ended;
      }
    },
    killRounds * 30_000,
  );

  it('kill -9 of the CLI before the first text: the call is carried once more, by another process', async () => {
    const server = await callThatHangs();
    const asked = generations();
    const call = server.startCall('gemini_query', { prompt: 'Hi' });
    await setup.api.whenRequested(asked + 1);
    setup.api.reply(text('from another process'));
    killWarmProcesses();
    expect(await call.result).toMatchObject({ isError: false, text: expect.stringContaining('from another process') });
    expect(await server.query({ prompt: 'Hi' })).toMatchObject({ isError: false });
  });

  it('kill -9 of the CLI after the first text: a clear failure with that text, and the next call works', async () => {
    setup.api.reply(text(['the beginning', { text: ' and the end', after: new Promise(() => undefined) }]));
    const server = await setup.start();
    const { answer } = server.start('tools/call', {
      name: 'gemini_query',
      arguments: { prompt: 'Hi', model: 'gemini-3.1-pro-preview' },
      _meta: { progressToken: 'p' },
    });
    await server.until(() => JSON.stringify(server.messages).includes('the beginning'));
    setup.api.reply(text('whole'));
    killWarmProcesses();
    const { result } = await answer;
    expect(JSON.stringify(result)).toMatch(/the beginning|whole/);
    expect(await server.query({ prompt: 'Hi' })).toMatchObject({ isError: false });
    server.endInput();
    await server.ended;
    expect(await setup.leftovers()).toEqual([]);
  });
});
