import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { isJsonRecord } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  cliAnswer,
  cliApiFailure,
  cliDailyQuota,
  cliEmptyResponse,
  cliFatalRun,
  cliInvalidAnswer,
  cliLoginPrompt,
  cliModelNotFound,
  cliOverloaded,
  cliStartFailure,
} from './cli-runs.ts';
import { createFakeGeminiCli, fakeGeminiCliPath } from './create-fake-gemini-cli.ts';
import { readInvocations, readVersionQueries } from './read-invocations.ts';
import type { CliStep } from './scenario.ts';
import { whenFileExists, whenInvoked } from './when-invoked.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fake-cli-'));
});

afterEach(() => rm(directory, { recursive: true }));

type Ended = {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: Buffer;
  readonly stderr: string;
};

function start(path: string, args: readonly string[], input: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(path, args, { env, detached: true });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const exit = new Promise<Pick<Ended, 'exitCode' | 'signal'>>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
  const output = Promise.all([buffer(child.stdout), buffer(child.stderr)]);
  const ended = async (): Promise<Ended> => {
    const [stdout, stderr] = await output;
    return { ...(await exit), stdout, stderr: stderr.toString() };
  };
  return { child, exit, ended: ended() };
}

async function play(steps: readonly CliStep[], input = '', env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const path = await createFakeGeminiCli({ scenario: { runs: [steps] }, directory });
  return start(path, ['--model=gemini-2.5-pro'], input, env).ended;
}

function eventsOf({ stdout }: Ended): readonly Readonly<Record<string, unknown>>[] {
  const lines = stdout.toString().split('\n').slice(0, -1);
  return lines.map((line): unknown => JSON.parse(line)).filter(isJsonRecord);
}

describe('fakeGeminiCliPath', () => {
  it('answers without a scenario', async () => {
    const run = await start(fakeGeminiCliPath, [], 'hello', { PATH: process.env['PATH'] ?? '' }).ended;
    expect(run.exitCode).toBe(0);
    expect(eventsOf(run).map(({ type }) => type)).toEqual(['init', 'message', 'message', 'result']);
  });
});

describe('createFakeGeminiCli', () => {
  it('answers --version without counting a run', async () => {
    const path = await createFakeGeminiCli({ scenario: { runs: [cliAnswer('x')] }, directory });
    const run = await start(path, ['--version'], '').ended;
    expect(run).toMatchObject({ exitCode: 0, stdout: Buffer.from('0.61.0\n') });
    expect(await readInvocations(directory)).toEqual([]);
    expect(await readVersionQueries(directory)).toMatchObject([{ argv: ['--version'], run: null }]);
  });

  it('writes the events of a normal answer', async () => {
    const run = await play(cliAnswer(['Hé', 'llo'], { inputTokens: 7, outputTokens: 2 }), 'a\n"question" ✓');
    expect(run.exitCode).toBe(0);
    const counts = { total_tokens: 9, input_tokens: 7, output_tokens: 2, cached: 0, input: 7 };
    expect(eventsOf(run)).toMatchObject([
      { type: 'init', model: 'gemini-2.5-pro', session_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      { type: 'message', role: 'user', content: 'a\n"question" ✓' },
      { type: 'message', role: 'assistant', content: 'Hé', delta: true },
      { type: 'message', role: 'assistant', content: 'llo', delta: true },
      { type: 'result', status: 'success', stats: { ...counts, models: { 'gemini-2.5-pro': counts } } },
    ]);
    expect(eventsOf(run).every(({ timestamp }) => typeof timestamp === 'string')).toBe(true);
  });

  it('logs arguments, environment, working directory and stdin of each run', async () => {
    const input = `${'é'.repeat(500_000)}\n`;
    await play([{ do: 'read-stdin' }], input, { ONE: '1', PATH: '/nowhere' });
    const [invocation] = await readInvocations(directory);
    expect(invocation).toMatchObject({
      run: 0,
      argv: ['--model=gemini-2.5-pro'],
      cwd: process.cwd(),
      parentPid: process.pid,
      env: { ONE: '1', PATH: '/nowhere' },
      stdin: { bytes: 1_000_001, sha256: createHash('sha256').update(input).digest('hex') },
      children: [],
    });
    expect(invocation?.processGroup ?? invocation?.pid).toBe(invocation?.pid);
    expect(await readFile(invocation?.stdin?.file ?? '', 'utf8')).toBe(input);
  });

  it('plays the runs in order, and the last one again', async () => {
    const runs = [cliOverloaded(), cliAnswer('fine')] as const;
    const path = await createFakeGeminiCli({ scenario: { runs }, directory });
    const codes: (number | null)[] = [];
    for (const input of ['a', 'b', 'c']) {
      codes.push((await start(path, [], input).ended).exitCode);
    }
    expect(codes).toEqual([247, 0, 0]);
    expect((await readInvocations(directory)).map(({ run }) => run)).toEqual([0, 1, 2]);
  });

  it('chooses steps by model', async () => {
    const steps: CliStep = {
      do: 'by-model',
      models: { a: [{ do: 'exit', code: 3 }] },
      otherwise: [{ do: 'exit', code: 4 }],
    };
    const path = await createFakeGeminiCli({ scenario: { runs: [[steps]] }, directory });
    expect((await start(path, ['--model=a'], '').ended).exitCode).toBe(3);
    expect((await start(path, ['--model', 'a'], '').ended).exitCode).toBe(3);
    expect((await start(path, ['-m', 'b'], '').ended).exitCode).toBe(4);
  });
});

describe('endings', () => {
  it.each([
    ['an API error', cliApiFailure(400, 'bad'), 144],
    ['the daily quota', cliDailyQuota(), 173],
    ['a missing model', cliModelNotFound('m'), 1],
    ['an overloaded model', cliOverloaded(), 247],
    ['the turn limit', cliFatalRun(53), 53],
    ['a full disk', cliFatalRun(54), 54],
    ['a cancelled run', cliFatalRun(130), 130],
    ['an invalid answer', cliInvalidAnswer('blocked'), 0],
  ])('%s is a result event with status error', async (_, steps, exitCode) => {
    const run = await play(steps, 'question');
    expect(run.exitCode).toBe(exitCode);
    expect(eventsOf(run).at(-1)).toMatchObject({ type: 'result', status: 'error' });
  });

  it.each([41, 42, 44, 52, 55] as const)('exit code %i comes before any event', async (code) => {
    const run = await play(cliStartFailure(code));
    expect(run.exitCode).toBe(code);
    expect(run.stdout.length).toBe(0);
    expect(run.stderr).toMatch(/\w+/);
  });

  it('dies of a signal', async () => {
    expect(await play([{ do: 'kill-self', signal: 'SIGSEGV' }])).toMatchObject({ exitCode: null, signal: 'SIGSEGV' });
  });

  it('ends with 0 on SIGTERM like the real CLI, unless told to ignore it', async () => {
    const polite: readonly CliStep[] = [{ do: 'touch', file: 'polite' }, { do: 'hang' }];
    const stubborn: readonly CliStep[] = [
      { do: 'ignore-signals' },
      { do: 'touch', file: 'stubborn' },
      { do: 'await-file', file: 'go' },
      { do: 'exit', code: 9 },
    ];
    const path = await createFakeGeminiCli({ scenario: { runs: [polite, stubborn] }, directory });
    const first = start(path, [], '');
    await whenFileExists(directory, 'polite');
    first.child.kill('SIGTERM');
    expect(await first.exit).toEqual({ exitCode: 0, signal: null });
    const second = start(path, [], '');
    await whenFileExists(directory, 'stubborn');
    second.child.kill('SIGTERM');
    second.child.kill('SIGHUP');
    await writeFile(join(directory, 'go'), '');
    expect(await second.exit).toEqual({ exitCode: 9, signal: null });
  });

  it('waits for ever at a login prompt', async () => {
    const path = await createFakeGeminiCli({ scenario: { runs: [cliLoginPrompt()] }, directory });
    const { child, ended } = start(path, [], '');
    await new Promise((resolve) => child.stdout.once('readable', resolve));
    child.kill('SIGKILL');
    expect(await ended).toMatchObject({ signal: 'SIGKILL', stdout: expect.any(Buffer) });
    expect((await ended).stdout.toString()).toContain('https://accounts.google.com/');
  });
});

describe('output', () => {
  it("writes its script's text, without events", async () => {
    const run = await play([
      { do: 'write', to: 'stdout', text: 'garbage' },
      { do: 'write-bytes', to: 'stdout', base64: Buffer.of(0xff, 0xfe).toString('base64') },
      { do: 'write', to: 'stderr', text: 'noise' },
    ]);
    expect(run).toEqual({
      exitCode: 0,
      signal: null,
      stdout: Buffer.from('garbage\xff\xfe', 'latin1'),
      stderr: 'noise',
    });
    expect((await play(cliEmptyResponse())).stdout.toString()).toBe('{"response":"","stats":{"models":{}}}');
  });

  it('floods either stream with exactly as many bytes as asked', async () => {
    const run = await play([
      { do: 'flood', to: 'stdout', bytes: 3_000_001, pattern: 'abc' },
      { do: 'flood', to: 'stderr', bytes: 100, pattern: 'x'.repeat(7) },
    ]);
    expect(run.stdout.length).toBe(3_000_001);
    expect(run.stdout.subarray(0, 7).toString()).toBe('abcabca');
    expect(run.stderr).toBe('x'.repeat(100));
  });

  it('repeats its random bytes for the same seed', async () => {
    const [first, second] = [
      await play([{ do: 'random', to: 'stdout', bytes: 1000 }]),
      await play([{ do: 'random', to: 'stdout', bytes: 1000 }]),
    ];
    expect(first.stdout.length).toBe(1000);
    expect(first.stdout.equals(second.stdout)).toBe(true);
  });

  it('drips characters in pieces', async () => {
    const run = await play([{ do: 'drip', to: 'stdout', text: '✓', intervalMs: 1 }]);
    expect(run.stdout.toString()).toBe('✓');
  });

  it('leaks the key in each form, and stdin', async () => {
    const key = 'AIza+/leak"';
    const run = await play(
      [{ do: 'leak', to: 'stderr', forms: ['plain', 'split', 'base64', 'url', 'json'] }],
      'the message',
      { GEMINI_API_KEY: key },
    );
    const json = JSON.stringify(JSON.stringify({ apiKey: key }));
    const base64 = Buffer.from(key).toString('base64');
    expect(run.stderr).toBe(`${key}\n${key}\n${base64}\nAIza%2B%2Fleak%22\n${json}\nthe message`);
  });

  it('closes stdin unread', async () => {
    const path = await createFakeGeminiCli({
      scenario: { runs: [[{ do: 'close-stdin' }, { do: 'write', to: 'stdout', text: 'closed' }, { do: 'hang' }]] },
      directory,
    });
    const child = spawn(path, [], { env: {} });
    const failed = new Promise((resolve) => child.stdin.once('error', resolve));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdin.write('late');
    expect(await failed).toMatchObject({ code: 'EPIPE' });
    child.kill('SIGKILL');
  });
});

describe('children', () => {
  it('outlive the CLI until somebody ends them', async () => {
    const steps: readonly CliStep[] = [
      { do: 'spawn' },
      { do: 'spawn', isDetached: true, ignoresSignals: true },
      { do: 'touch', file: 'ready' },
      { do: 'hang' },
    ];
    const path = await createFakeGeminiCli({ scenario: { runs: [steps] }, directory });
    const { child, exit } = start(path, [], '');
    const [invocation] = await whenInvoked(directory, 1);
    await whenFileExists(directory, 'ready');
    const [ready] = await readInvocations(directory);
    expect(ready?.pid).toBe(invocation?.pid);
    child.kill('SIGKILL');
    await exit;
    expect(ready?.children.map(({ isDetached }) => isDetached)).toEqual([false, true]);
    for (const { pid } of ready?.children ?? []) {
      expect(process.kill(pid, 'SIGKILL')).toBe(true);
    }
  });
});
