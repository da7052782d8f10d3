import { readFileSync } from 'node:fs';
import { hang, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

/** Each round takes a few seconds with the real CLI; `GEMINI_MCP_KILL_ROUNDS=50` is the full proof. */
const killRounds = Number(process.env['GEMINI_MCP_KILL_ROUNDS'] ?? 1);

let setup: ServerSetup;

beforeEach(async () => {
  setup = await ServerSetup.create('warm');
});

afterEach(() => setup.dispose());

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

describe('warm processes of the built server', () => {
  it('none starts before the first call, one runs call after call, and the end of input during a call leaves nothing', async () => {
    const server = await setup.start();
    await server.request('tools/list');
    await server.call('gemini_context', { prompt: 'Hi' });
    expect(server.stderr).not.toContain('warm-started');
    expect(setup.cliProcesses()).toEqual([]);
    setup.api.reply(text('ok'));
    await server.query({ prompt: 'Hi' });
    const first = warmProcesses();
    expect(first).not.toEqual([]);
    setup.api.reply(hang());
    server.startCall('gemini_query', { prompt: 'Hi' });
    await expect.poll(generations).toBe(2);
    expect(warmProcesses()).toEqual(first);
    server.endInput();
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
});
