import { cliAnswer, cliOpening, readInvocations, whenFileExists } from '@gemini-mcp/fake-gemini';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CancellableCall, cancelById, cancelModes } from './cancellable-call.ts';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup, token } from './http-setup.ts';
import { McpHttpClient } from './mcp-http-client.ts';
import { readMetric } from './read-metric.ts';

const oneAtATime = { GEMINI_MCP_MAX_RUNNING: '1' };

let setup: HttpSetup;
let server: HttpServerProcess;
let client: McpHttpClient;

/** Another call is answered, so the slot of the cancelled ones is free. The cancelled ones get no response. */
async function expectSilenceAndFreePlace(cancelled: readonly CancellableCall[]): Promise<void> {
  await setup.playCli(cliAnswer('free again'));
  const next = await client.call('geminiChat', { prompt: 'next' });
  expect(next).toMatchObject({ isError: false, text: expect.stringContaining('free again') });
  expect(await Promise.all(cancelled.map(({ ended }) => ended))).toEqual(cancelled.map(() => ''));
  expect(await setup.leftovers()).toEqual([]);
}

// The states of a cancelled call are tested over stdio, the messages in packages/mcp.
describe.each([
  ['without sessions', {}],
  ['with sessions', { GEMINI_MCP_STATEFUL: '1' }],
])('LOAD-06, CANCEL-01: cancelling, the built HTTP server, %s', (name, environment) => {
  const modes = cancelModes.filter(({ isStateful }) => isStateful === (name === 'with sessions'));

  beforeAll(async () => {
    setup = await HttpSetup.create();
    await setup.playCli(cliAnswer('done'));
    server = await setup.start({ ...oneAtATime, ...environment });
    client = new McpHttpClient({ origin: server.origin, token });
    await client.initialize();
  });

  afterAll(async () => {
    client.close();
    await setup.dispose();
  });

  it.each(modes)(
    '$name: two running calls and one waiting: the child is dead, no response comes, the slot is free',
    async (mode) => {
      await setup.playCli([
        { do: 'ignore-signals' },
        ...cliOpening(),
        { do: 'touch', file: mode.name },
        { do: 'hang' },
      ]);
      const running = new CancellableCall(client, mode, 'long');
      await whenFileExists(setup.cliDirectory, mode.name);
      expect(setup.cliProcesses()).toHaveLength(1);
      const ran = (await readInvocations(setup.cliDirectory)).length;
      const waiting = new CancellableCall(client, mode, 'waits');
      const queued = (): Promise<number> => readMetric(server, 'gemini_mcp_queue_waiting');
      await expect.poll(queued).toBe(1);
      await waiting.cancel();
      await expect.poll(queued).toBe(0);
      await running.cancel();
      await running.cancel();
      expect(await setup.lastingLeftovers()).toEqual([]);
      await expectSilenceAndFreePlace([running, waiting]);
      // None but the last one.
      expect(await readInvocations(setup.cliDirectory)).toHaveLength(ran + 1);
    },
  );

  it('after its end, and for an unknown id: nothing happens', async () => {
    await setup.playCli(cliAnswer('done'));
    const answer = await client.request('tools/call', { name: 'geminiChat', arguments: { prompt: 'quick' } });
    expect(JSON.stringify(answer)).toContain('done');
    expect(await Promise.all([answer.id, 987_654, null].map((id) => cancelById(client, id)))).toEqual([202, 202, 202]);
    await expectSilenceAndFreePlace([]);
  });
});
