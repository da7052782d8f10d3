import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CliStep, createFakeGeminiCli, readInvocations, whenFileExists } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Command, containCommand } from './contained-command.ts';
import { type ContainedProcess, type ContainedProcessOptions, startContainedProcess } from './contained-process.ts';
import { endMarkedProcesses, findMarkedProcesses } from './marked-processes.ts';
import { isAlive } from './process-identity.ts';

const path = process.env['PATH'] ?? '';

let root: string;
let runId: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'contained-process-')));
  runId = randomUUID();
});

afterEach(async () => {
  const left = findMarkedProcesses(new Set([runId]));
  await endMarkedProcesses(new Set([runId]));
  await rm(root, { recursive: true });
  expect(left).toEqual([]);
});

type Started = Pick<ContainedProcess, 'ended' | 'terminate' | 'kill' | 'ref' | 'stdin'> & {
  readonly output: () => string;
};

async function start(command: Command, options: Partial<ContainedProcessOptions> = {}): Promise<Started> {
  const chunks: Buffer[] = [];
  const running = startContainedProcess({
    command: await containCommand(command),
    cwd: root,
    environment: { PATH: path },
    runId,
    input: '',
    onStdout: (chunk) => chunks.push(chunk),
    onStderr: () => undefined,
    ...options,
  });
  return {
    ended: running.ended,
    terminate: () => running.terminate(),
    kill: () => running.kill(),
    ref: () => running.ref(),
    stdin: running.stdin,
    output: () => Buffer.concat(chunks).toString(),
  };
}

async function play(steps: readonly CliStep[], options: Partial<ContainedProcessOptions> = {}): Promise<Started> {
  const file = await createFakeGeminiCli({ scenario: { runs: [steps] }, directory: root });
  return start({ file, arguments: ['--model=m'] }, options);
}

async function firstInvocation() {
  const [invocation] = await readInvocations(root);
  if (invocation === undefined) {
    throw new Error('The fake CLI has not been started.');
  }
  return invocation;
}

const shell = (script: string): Command => ({ file: '/bin/sh', arguments: ['-c', script] });

describe.skipIf(process.platform === 'win32')('startContainedProcess', () => {
  it('CONFIG-07: the child has the given environment and the marker, and nothing else of ours', async () => {
    const environment = { PATH: path, A: ' 1\n', EMPTY: '' };
    await (await play([], { environment })).ended;
    const { env, umask, cwd, processGroup, pid, argv } = await firstInvocation();
    // The shell that sets the umask may add its directory and nesting depth.
    const { PWD: _, OLDPWD: __, SHLVL: ___, _: ____, ...others } = env;
    expect(others).toEqual({ ...environment, GEMINI_MCP_RUN_ID: runId });
    expect({ umask, cwd, argv }).toEqual({ umask: 0o077, cwd: root, argv: ['--model=m'] });
    expect(processGroup ?? pid).toBe(pid);
  });

  it('CLI-13: the input arrives completely, and then ends', async () => {
    const input = `${'é@/'.repeat(2_000_000)}.`;
    await (await play([{ do: 'read-stdin' }], { input })).ended;
    expect((await firstInvocation()).stdin).toMatchObject({ bytes: Buffer.byteLength(input) });
  });

  it('a process that closes its input unread, or ends before reading it, does no harm', async () => {
    const input = 'x'.repeat(8_000_000);
    const closing = await play([{ do: 'close-stdin' }, { do: 'write', to: 'stdout', text: 'unread' }], { input });
    expect(await closing.ended).toEqual({ exitCode: 0, signal: null, spawnError: null });
    expect(closing.output()).toBe('unread');
    const ending = await play([{ do: 'exit', code: 7 }], { input });
    expect(await ending.ended).toEqual({ exitCode: 7, signal: null, spawnError: null });
  });

  it('CLI-06: an exit code and a signal are distinguished', async () => {
    expect(await (await play([{ do: 'exit', code: 139 }])).ended).toMatchObject({ exitCode: 139, signal: null });
    const crash = await play([{ do: 'kill-self', signal: 'SIGSEGV' }]);
    expect(await crash.ended).toEqual({ exitCode: null, signal: 'SIGSEGV', spawnError: null });
  });

  it('a process that cannot be started is data', async () => {
    const nowhere = await start(shell('exit 0'), { cwd: join(root, 'missing') });
    expect(await nowhere.ended).toEqual({
      exitCode: null,
      signal: null,
      spawnError: { isShortage: false, detail: expect.stringMatching(/missing, no longer exists \(ENOENT\)/) },
    });
    nowhere.terminate();
    const missing = await start({ file: join(root, 'missing'), arguments: [] });
    expect(await missing.ended).toEqual({ exitCode: 127, signal: null, spawnError: null });
  });

  it('a value that no process can be given is reported, and ends no other process', async () => {
    const running = await start({ file: 'x', arguments: [] }, { environment: { PATH: path, KEY: 'a\0b' }, input: 'x' });
    expect(await running.ended).toMatchObject({
      exitCode: null,
      spawnError: { isShortage: false, detail: expect.stringContaining('null bytes') },
    });
  });

  it('ends at SIGTERM, without the grace time', async () => {
    const running = await play([{ do: 'touch', file: 'ready' }, { do: 'hang' }]);
    await whenFileExists(root, 'ready');
    running.terminate();
    running.terminate();
    expect(await running.ended).toEqual({ exitCode: 0, signal: null, spawnError: null });
    running.terminate();
  });

  it('CLI-01: a group that ignores SIGTERM is killed after the grace time', async () => {
    const running = await play([
      { do: 'ignore-signals' },
      { do: 'spawn', ignoresSignals: true, holdsOutput: true },
      { do: 'touch', file: 'ready' },
      { do: 'hang' },
    ]);
    await whenFileExists(root, 'ready');
    running.terminate();
    expect(await running.ended).toEqual({ exitCode: null, signal: 'SIGKILL', spawnError: null });
    const { pid, children } = await firstInvocation();
    expect([pid, ...children.map((child) => child.pid)].filter((id) => isAlive({ pid: id, startTicks: null }))).toEqual(
      [],
    );
  });

  it('CLI-04: grandchildren are gone with the process, in its group or in their own sessions', async () => {
    const running = await play([
      { do: 'spawn' },
      { do: 'spawn', ignoresSignals: true },
      { do: 'spawn', isDetached: true, ignoresSignals: true },
      { do: 'exit', code: 3 },
    ]);
    expect((await running.ended).exitCode).toBe(3);
    const { children } = await firstInvocation();
    expect(children).toHaveLength(3);
    expect(children.filter(({ pid }) => isAlive({ pid, startTicks: null }))).toEqual([]);
  });

  it('CLI-04: a grandchild that holds the pipes open does not hold the call', async () => {
    const running = await play([
      { do: 'spawn', holdsOutput: true },
      { do: 'spawn', isDetached: true, holdsOutput: true },
      { do: 'write', to: 'stdout', text: 'all of it' },
    ]);
    expect(await running.ended).toEqual({ exitCode: 0, signal: null, spawnError: null });
    expect(running.output()).toBe('all of it');
  });

  it('CLI-04: a grandchild in the group that has dropped the marker is gone too', async () => {
    const running = await start(shell('env -i sleep 300 >&- 2>&- & echo $!; exit 0'));
    await running.ended;
    expect(isAlive({ pid: Number(running.output()), startTicks: null })).toBe(false);
  });

  it('CLI-04: grandchildren that keep starting others in their own sessions are gone with those', async () => {
    const spawning = 'while :; do setsid sleep 300 & : > ready; sleep 0.01; done';
    const ending = 'until [ -e ready ]; do sleep 0.01; done';
    const running = await start(shell(`setsid sh -c '${spawning}' >&- 2>&- & ${ending}`));
    await running.ended;
    expect(findMarkedProcesses(new Set([runId]))).toEqual([]);
  });

  it('a process that left the group, the session and its marker cannot hold the call either', async () => {
    const running = await start(shell('env -i setsid sleep 300 & echo $!; exit 4'));
    expect(await running.ended).toEqual({ exitCode: 4, signal: null, spawnError: null });
    // It is beyond our reach by design; this test kills it by its id.
    expect(process.kill(Number(running.output()), 'SIGKILL')).toBe(true);
  });

  it('all output before the end arrives', async () => {
    const running = await play([{ do: 'flood', to: 'stdout', bytes: 3_000_001, pattern: 'abc' }]);
    await running.ended;
    expect(running.output().length).toBe(3_000_001);
  });
});

it('keeps no listeners after `ref` on an ended process', async () => {
  const started = await start({ file: process.execPath, arguments: ['-e', ''] });
  await started.ended;
  started.ref();
  expect(started.stdin.listenerCount('connect')).toBe(0);
});
