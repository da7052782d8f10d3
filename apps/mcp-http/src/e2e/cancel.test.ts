import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliAnswer, cliOpening, whenFileExists, whenInvoked } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CallToCancel, CancellableCall, cancelById, cancelModes } from './cancellable-call.ts';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup, token } from './http-setup.ts';
import { McpHttpClient } from './mcp-http-client.ts';
import { readMetric } from './read-metric.ts';

const oneAtATime = { GEMINI_MCP_MAX_RUNNING: '1' };

let setup: HttpSetup;
let server: HttpServerProcess;
let client: McpHttpClient;

beforeEach(async () => {
  setup = await HttpSetup.create();
});

afterEach(async () => {
  client.close();
  await setup.dispose();
});

async function start(environment: Readonly<Record<string, string>>): Promise<void> {
  server = await setup.start({ ...oneAtATime, ...environment });
  client = new McpHttpClient({ origin: server.origin, token });
  await client.initialize();
}

const chatOf = (prompt: string): CallToCancel => ({ tool: 'geminiChat', path: '/api/gemini-chat', args: { prompt } });

/** A further call is answered: the place of the cancelled ones is free. Nothing was said about those. */
async function expectSilenceAndFreePlace(cancelled: readonly CancellableCall[]): Promise<void> {
  await setup.playCli(cliAnswer('free again'));
  const next = await client.call('geminiChat', { prompt: 'next' });
  expect(next).toMatchObject({ isError: false, text: expect.stringContaining('free again') });
  expect(await Promise.all(cancelled.map(({ ended }) => ended))).toEqual(cancelled.map(() => ''));
  expect(await setup.leftovers()).toEqual([]);
}

describe.each(cancelModes)('LOAD-06, CANCEL-01: cancelling, the built HTTP server, $name', (mode) => {
  it('while the CLI runs, and twice: the child is dead, no reply comes, the place is free', async () => {
    await setup.playCli([{ do: 'ignore-signals' }, ...cliOpening(), { do: 'touch', file: 'runs' }, { do: 'hang' }]);
    await start(mode.environment);
    const call = new CancellableCall(client, mode, chatOf('long'));
    await whenFileExists(setup.cliDirectory, 'runs');
    expect(setup.cliProcesses()).toHaveLength(1);
    await call.cancel();
    await call.cancel();
    expect(await setup.lastingLeftovers()).toEqual([]);
    await expectSilenceAndFreePlace([call]);
  });

  it('while it waits in the queue: it is never started', async () => {
    await setup.playCli([...cliOpening(), { do: 'hang' }]);
    await start(mode.environment);
    const running = new CancellableCall(client, mode, chatOf('long'));
    await whenInvoked(setup.cliDirectory, 1);
    const waiting = new CancellableCall(client, mode, chatOf('waits'));
    const queued = (): Promise<number> => readMetric(server, 'gemini_mcp_queue_waiting');
    await expect.poll(queued).toBe(1);
    await waiting.cancel();
    await expect.poll(queued).toBe(0);
    await running.cancel();
    await expectSilenceAndFreePlace([running, waiting]);
    // One that ran, and the one that was asked last.
    expect(await whenInvoked(setup.cliDirectory, 2)).toHaveLength(2);
  });
});

describe.each(cancelModes.filter(({ isRest }) => !isRest))(
  'LOAD-06, CANCEL-01: cancelling, the built HTTP server, $name',
  (mode) => {
    it('while its files are read: nothing is started', async () => {
      await setup.playCli(cliAnswer('never'));
      await Promise.all(
        Array.from({ length: 3_000 }, (_, index) => writeFile(join(setup.project, `${index}.txt`), `${index}`)),
      );
      await start(mode.environment);
      let call: CancellableCall | undefined;
      const cancelled = new Promise<void>((resolve) => {
        call = new CancellableCall(client, mode, {
          tool: 'gemini_query',
          path: '/api/gemini-query',
          args: { prompt: 'x', directories: ['.'] },
          onMessage: ({ params }) => {
            if (params?.['message'] === 'Reading files') {
              resolve(call?.cancel());
            }
          },
        });
      });
      await cancelled;
      await expectSilenceAndFreePlace(call === undefined ? [] : [call]);
      expect(await whenInvoked(setup.cliDirectory, 1)).toHaveLength(1);
    });

    it('after its end, and of an id that never was: nothing happens', async () => {
      await setup.playCli(cliAnswer('done'));
      await start(mode.environment);
      const call = new CancellableCall(client, mode, chatOf('quick'));
      const answer = await call.ended;
      expect(answer).toContain('done');
      await call.cancel();
      expect(await Promise.all([call.id, 987_654, null].map((id) => cancelById(client, id)))).toEqual([202, 202, 202]);
      expect(await client.request('ping')).toHaveProperty('result');
      await expectSilenceAndFreePlace([]);
      expect(answer.match(/"result"/g)).toHaveLength(1);
    });
  },
);
