import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliAnswer, cliOpening, EchoingCli, whenFileExists, whenInvoked } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonRpcMessage, ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const busyWords = 'too many calls are running';

/** The largest memory of a process so far. */
function peakBytes(pid: number): number {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(kilobytes) * 1_024;
}

let setup: ServerSetup;

beforeEach(async () => {
  setup = await ServerSetup.create();
});

afterEach(() => setup.dispose());

describe('LOAD-05: 1,000 calls at once, the built server', () => {
  it('4 run, 32 wait, the rest fail as busy at once; no answer is lost or swapped, and pings are answered', async () => {
    const cli = await EchoingCli.create(setup.cliDirectory);
    setup.useCli(cli.path);
    const server = await setup.start();
    const calls = Array.from({ length: 1_000 }, (_, index) =>
      server.startCall('gemini_query', { prompt: `Repeat canary-${index}.` }),
    );
    const ping = server.request('ping');
    const refused = await Promise.all(calls.slice(36).map(({ result }) => result));
    expect(refused.every(({ isError, text }) => isError && text.includes(busyWords))).toBe(true);
    expect(await ping).toMatchObject({ result: {} });
    // No call has ended: the waiting ones have not started.
    expect(calls.slice(0, 36).filter(({ id }) => server.hasAnswered(id))).toEqual([]);
    await cli.letSpeak();
    await cli.letFinish();
    const pongs = [server.request('ping'), server.request('ping')];
    const answers = await Promise.all(calls.slice(0, 36).map(({ result }) => result));
    expect(answers.map(({ text }) => text)).toEqual(
      answers.map((_, index) => `answer to canary-${index}.\nVia: Gemini CLI`),
    );
    expect(await Promise.all(pongs)).toMatchObject([{ result: {} }, { result: {} }]);
    const runs = await cli.countRuns();
    expect(runs.all).toBe(36);
    expect(runs.atOnce).toBeLessThanOrEqual(4);
    const ids = server.messages.flatMap(({ id }) => (typeof id === 'number' ? [id] : []));
    expect(new Set(ids).size).toBe(ids.length);
    expect(peakBytes(server.pid)).toBeLessThan(250_000_000);
    expect(await setup.leftovers()).toEqual([]);
  });

  it('of 1,000 jobs at once 8 begin, the rest are refused, and all end with the server', async () => {
    await setup.playCli([{ do: 'ignore-signals' }, ...cliOpening(), { do: 'hang' }]);
    const server = await setup.start();
    const calls = Array.from({ length: 1_000 }, (_, index) =>
      server.call('geminiChat', { prompt: `Think ${index}`, background: true }),
    );
    const results = await Promise.all(calls);
    const handles = results.flatMap(({ meta }) => (meta?.['jobHandle'] === undefined ? [] : [meta['jobHandle']]));
    expect(new Set(handles).size).toBe(8);
    expect(results.filter(({ isError, text }) => isError && text.includes('too many of your jobs'))).toHaveLength(992);
    await whenInvoked(setup.cliDirectory, 4);
    server.kill('SIGTERM');
    expect(await server.ended).toEqual({ exitCode: 0, signal: null });
    expect(await setup.lastingLeftovers()).toEqual([]);
  });
});

describe('LOAD-06: cancelling, the built server', () => {
  const oneAtATime = { GEMINI_MCP_MAX_RUNNING: '1' };

  /** A further call is answered: the place of the cancelled one is free. Meanwhile nothing was said about that. */
  async function expectSilenceAndFreePlace(server: ServerProcess, cancelledIds: readonly number[]): Promise<void> {
    await setup.playCli(cliAnswer('free again'));
    const next = await server.call('geminiChat', { prompt: 'next' });
    expect(next).toMatchObject({ isError: false, text: expect.stringContaining('free again') });
    expect(cancelledIds.filter((id) => server.hasAnswered(id))).toEqual([]);
    expect(await setup.leftovers()).toEqual([]);
  }

  it('while the CLI runs, and twice: the child is dead, no reply comes, the place is free', async () => {
    await setup.playCli([{ do: 'ignore-signals' }, ...cliOpening(), { do: 'touch', file: 'runs' }, { do: 'hang' }]);
    const server = await setup.start(oneAtATime);
    const { id } = server.startCall('geminiChat', { prompt: 'long' });
    await whenFileExists(setup.cliDirectory, 'runs');
    server.cancel(id);
    server.cancel(id);
    expect(await setup.lastingLeftovers()).toEqual([]);
    await expectSilenceAndFreePlace(server, [id]);
  });

  it('while it waits in the queue: it is never started', async () => {
    await setup.playCli([...cliOpening(), { do: 'hang' }]);
    const server = await setup.start(oneAtATime);
    const running = server.startCall('geminiChat', { prompt: 'long' });
    const waiting = server.startCall('geminiChat', { prompt: 'waits' });
    await whenInvoked(setup.cliDirectory, 1);
    server.cancel(waiting.id);
    server.cancel(running.id);
    await expectSilenceAndFreePlace(server, [running.id, waiting.id]);
    // A running one, and the last one.
    expect(await whenInvoked(setup.cliDirectory, 2)).toHaveLength(2);
  });

  it('after its end, and of an id that never was: nothing happens', async () => {
    await setup.playCli(cliAnswer('done'));
    const server = await setup.start(oneAtATime);
    const { id, result } = server.startCall('geminiChat', { prompt: 'quick' });
    expect(await result).toMatchObject({ isError: false });
    server.cancel(id);
    server.cancel(987_654);
    server.send({ method: 'notifications/cancelled', params: { requestId: null } });
    server.send({ method: 'notifications/cancelled' });
    expect(await server.request('ping')).toMatchObject({ result: {} });
    await expectSilenceAndFreePlace(server, []);
    expect(server.messages.filter((message) => message.id === id)).toHaveLength(1);
  });
});

it('STDIO-06: a second request with the id of one that runs is refused, and the first one is answered', async () => {
  const [readsFirst, ...rest] = cliAnswer('the first one');
  await setup.playCli([...(readsFirst === undefined ? [] : [readsFirst]), { do: 'await-file', file: 'go' }, ...rest]);
  const server = await setup.start();
  const answers = (): readonly JsonRpcMessage[] => server.messages.filter(({ id }) => id === 'twice');
  const call = (prompt: string): void =>
    server.send({ id: 'twice', method: 'tools/call', params: { name: 'geminiChat', arguments: { prompt } } });
  call('one');
  await whenInvoked(setup.cliDirectory, 1);
  call('two');
  await server.until(() => answers().length === 1);
  expect(answers()[0]?.error?.code).toBe(-32600);
  await writeFile(join(setup.cliDirectory, 'go'), '');
  await server.until(() => answers().length === 2);
  expect(JSON.stringify(answers()[1]?.result)).toContain('the first one');
  expect(await whenInvoked(setup.cliDirectory, 1)).toHaveLength(1);
});

it('STDIO-02: a line of 50 MB ends the process with a message, and does not fill the memory', async () => {
  const server = await setup.start();
  let peak = 0;
  // The memory of a process can be read only while it lives, and this one ends itself.
  const watch = setInterval(() => {
    peak = Math.max(peak, peakBytes(server.pid));
  }, 1);
  server.write(Buffer.alloc(50_000_000, 'x'));
  const { exitCode } = await server.ended;
  clearInterval(watch);
  expect(exitCode).toBe(1);
  expect(server.stderr).toContain('more than 10 MiB');
  expect(peak).toBeGreaterThan(0);
  expect(peak).toBeLessThan(120_000_000);
});
