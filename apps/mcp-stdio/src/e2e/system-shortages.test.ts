import { chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  acpAnswer,
  cliAnswer,
  cliWays,
  createFakeGeminiCli,
  limitProcess,
  limitWithFree,
} from '@gemini-mcp/fake-gemini';
import { text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

let setup: ServerSetup;

beforeEach(async () => {
  setup = await ServerSetup.create();
  setup.api.reply(text('Answered.'));
});

afterEach(() => setup.dispose());

const calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['gemini_query', { prompt: 'Hi' }],
  // Offers tools for the directory.
  ['chat', { prompt: 'Hi' }],
  ['geminiChat', { prompt: 'Hi' }],
];

/** Not so for root: another user, which may read what root's is so that the server finds itself. */
const asAnotherUser = [
  ...['setpriv', '--reuid=54321', '--regid=54321', '--clear-groups'],
  ...['--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override', '--bounding-set=-all,+dac_override'],
];

describe.skipIf(process.platform !== 'linux')('a built server whose system runs out of something', () => {
  const expectAnswer = async (server: ServerProcess, tool: string, args: Readonly<Record<string, unknown>>) => {
    expect(await server.call(tool, args)).toMatchObject({
      isError: false,
      text: expect.stringContaining('Answered.'),
    });
  };

  it.each([...cliWays, 'api'])(
    'SYSTEM-01: with any number of free file descriptors, from none up, a call fails in words or is answered, by the runner %s',
    async (runner) => {
      const scenario = { runs: [cliAnswer('Answered.')] } as const;
      const acp = { processes: [{ prompts: [acpAnswer('Answered.')] }] } as const;
      setup.useCli(await createFakeGeminiCli({ scenario, acp, directory: setup.cliDirectory }));
      const server = await setup.start({ GEMINI_MCP_RUNNER: runner });
      await server.request('tools/list');
      for (const [tool, args] of calls) {
        await limitProcess(server.pid, 'nofile', 1);
        const failed = await server.call(tool, args);
        expect(failed.isError).toBe(true);
        expect(failed.text).toContain('This program has no free file descriptors (EMFILE). Raise its limit');
      }
      let isAnswered = false;
      for (let free = 1; free < 40 && !isAnswered; free += 1) {
        await limitProcess(server.pid, 'nofile', await limitWithFree(server.pid, free));
        const said = await server.query({ prompt: 'Hi', timeout: 5 });
        isAnswered = !said.isError;
        expect(said.text).toMatch(said.isError ? /\(EMFILE\)|no answer in time/ : /Answered\./);
      }
      expect(isAnswered).toBe(true);
      await limitProcess(server.pid, 'nofile', 1_024);
      await expectAnswer(server, 'chat', { prompt: 'Hi' });
      expect(await setup.lastingLeftovers()).toEqual([]);
    },
  );

  it('SYSTEM-02: without a free process a call fails with a message, and the next one succeeds', async () => {
    const launcher = process.getuid?.() === 0 ? asAnotherUser : [];
    if (launcher.length > 0) {
      await mkdir(setup.stateDirectory, { mode: 0o700 });
      for (const path of [setup.root, setup.project, setup.stateDirectory]) {
        await chown(path, 54_321, 54_321);
      }
    }
    const server = await setup.start({ GEMINI_MCP_RUNNER: 'headless' }, { launcher });
    await server.request('tools/list');
    await limitProcess(server.pid, 'nproc', 1);
    const failed = await server.query({ prompt: 'Hi' });
    expect(failed.isError).toBe(true);
    expect(failed.text).toContain('The system starts no more processes for this user (EAGAIN).');
    await limitProcess(server.pid, 'nproc', 4_096);
    await expectAnswer(server, 'gemini_query', { prompt: 'Hi' });
    expect(await setup.lastingLeftovers()).toEqual([]);
  });

  it.each(['plan', 'edit', 'full'])(
    'SYSTEM-01: without file descriptors a task in %s mode fails in words as the first request, and the next one is answered',
    async (mode) => {
      const server = await setup.start({ GEMINI_MCP_RUNNER: 'api' });
      const task = { name: 'gemini_agent', arguments: { task: 'Hi', mode } };
      await limitProcess(server.pid, 'nofile', 1);
      const words = 'This program has no free file descriptors (EMFILE). Raise its limit';
      expect(JSON.stringify(await server.request('tools/call', task))).toContain(words);
      await limitProcess(server.pid, 'nofile', 1_024);
      await expectAnswer(server, task.name, task.arguments);
    },
  );

  it('SYSTEM-01: a sandbox that could not be tried for want of descriptors is tried again', async () => {
    const server = await setup.start({ GEMINI_MCP_RUNNER: 'api' });
    const task = { task: 'Hi', mode: 'full' };
    await expectAnswer(server, 'gemini_agent', { task: 'Hi' });
    await limitProcess(server.pid, 'nofile', await limitWithFree(server.pid, 2));
    const without = await server.call('gemini_agent', task);
    expect(without.text).toContain('No commands could be run: This program has no free file descriptors (EMFILE).');
    await limitProcess(server.pid, 'nofile', 1_024);
    const next = await server.call('gemini_agent', task);
    expect([next.isError, next.text.includes('EMFILE')]).toEqual([false, false]);
  });

  it('SYSTEM-01: a conversation that cannot be read for want of descriptors is not said to be unknown', async () => {
    const server = await setup.start({ GEMINI_MCP_RUNNER: 'api' });
    const begun = await server.call('chat', { prompt: 'Hi' });
    const [sessionId = ''] = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(begun.text) ?? [];
    await limitProcess(server.pid, 'nofile', 1);
    const failed = await server.call('chat-reply', { sessionId, prompt: 'And?' });
    expect(failed.isError).toBe(true);
    expect(failed.text).toContain('This program has no free file descriptors (EMFILE).');
    await limitProcess(server.pid, 'nofile', 1_024);
    await expectAnswer(server, 'chat-reply', { sessionId, prompt: 'And?' });
  });

  it('SYSTEM-01: a process that is warm already goes on without descriptors of ours', async () => {
    const server = await setup.start({ GEMINI_MCP_RUNNER: 'warm' });
    await expectAnswer(server, 'gemini_query', { prompt: 'Hi' });
    await limitProcess(server.pid, 'nofile', 1);
    const said = await server.query({ prompt: 'Hi' });
    expect(said.text).toMatch(/Answered\.|\(EMFILE\)/);
    await limitProcess(server.pid, 'nofile', 1_024);
    await expectAnswer(server, 'gemini_query', { prompt: 'Hi' });
  });

  it('SYSTEM-04: on a full disk a call fails in words, and the next one is answered once there is room', async () => {
    await mkdir(setup.stateDirectory, { mode: 0o700 });
    const mountThenServe = 'mount -t tmpfs -o size=1m,mode=0700 tmpfs "$0" && exec "$@"';
    const unshare = process.getuid?.() === 0 ? ['unshare', '-m'] : ['unshare', '-rm'];
    const launcher = [...unshare, '/bin/sh', '-c', mountThenServe, setup.stateDirectory];
    await setup.playCli(cliAnswer('Answered.'));
    const server = await setup.start({}, { launcher });
    await expectAnswer(server, 'gemini_query', { prompt: 'Hi' });
    // Only the server has the mount, so it goes with the server.
    const seen = join('/proc', String(server.pid), 'root', setup.stateDirectory);
    await writeFile(join(seen, 'filler'), Buffer.alloc(2_000_000)).catch(() => undefined);
    const failed = await server.query({ prompt: 'Hi' });
    expect(failed.isError).toBe(true);
    expect(failed.text).toContain('There is no space left on the disk of the state directory (ENOSPC).');
    expect(await readdir(join(seen, 'runs'))).toEqual([]);
    await rm(join(seen, 'filler'));
    await expectAnswer(server, 'gemini_query', { prompt: 'Hi' });
    expect(await readdir(join(seen, 'runs'))).toEqual([]);
  });

  it('SYSTEM-05: a log that takes nothing more, on a full disk, ends neither a call nor the server', async () => {
    const launcher = ['/bin/sh', '-c', 'exec "$0" "$@" 2>/dev/full'];
    const server = await setup.start({ GEMINI_MCP_LOG_LEVEL: 'trace', GEMINI_MCP_RUNNER: 'api' }, { launcher });
    await expectAnswer(server, 'gemini_query', { prompt: 'Hi' });
    server.endInput();
    expect(await server.ended).toEqual({ exitCode: 0, signal: null });
  });

  it('SYSTEM-05: an output that takes nothing more ends the server, and all that it has started', async () => {
    const server = setup.spawn({}, [], ['/bin/sh', '-c', 'exec "$0" "$@" >/dev/full']);
    void server.initialize().catch(() => undefined);
    expect(await server.ended).toEqual({ exitCode: 0, signal: null });
    expect(await setup.leftovers()).toEqual([]);
  });
});
