import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, GeminiFailure, RunEvent } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import {
  type CliInvocation,
  type CliStep,
  cliAnswer,
  cliEmptyResponse,
  cliEndlessText,
  cliFatalRun,
  cliLoginPrompt,
  cliOpening,
  cliStartFailure,
  createFakeGeminiCli,
  makeSafeDirectory,
  readInvocations,
  whenFileExists,
  whenInvoked,
} from '@gemini-mcp/fake-gemini';
import { describeGeminiRunnerContract, hostileText } from '@gemini-mcp/port-contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive } from '../../processes/process-identity.ts';
import { CliGeminiRunner, type CliGeminiRunnerOptions } from '../cli-gemini-runner.ts';
import type { RunReport } from '../cli-transport.ts';
import type { GeminiCli } from '../finding/locate-gemini-cli.ts';
import { frameInput } from '../message/literal-channel.ts';
import type { CliOutcome } from '../reading/cli-outcome.ts';
import { failureOfEvents } from '../testing/end-of-events.ts';
import { createFakeCliHarness, receivedBy } from '../testing/fake-cli-harness.ts';
import { processesOf } from '../testing/processes-of.ts';

/** Shaped like a key, with characters that look otherwise when they are escaped. */
const key = 'AIza+Fake/_-"0123456789"\\abcdef';

async function leftoversOf(root: string): Promise<readonly string[]> {
  const directories = await readdir(join(root, 'runs')).catch(() => []);
  return [...directories, ...processesOf(root).map((pid) => `process ${pid}`)];
}

function optionsFor(root: string, clock: Clock): CliGeminiRunnerOptions {
  return {
    clock,
    environment: {
      PATH: '/usr/bin:/bin',
      HOME: root,
      GEMINI_MCP_CLI: join(root, 'cli', 'gemini'),
      GEMINI_API_KEY: key,
    },
    runsDirectory: join(root, 'runs'),
    userDirectory: join(root, '.gemini'),
  };
}

describeGeminiRunnerContract({
  name: 'CliGeminiRunner, fake CLI',
  deadlineMs: 60_000,
  create: createFakeCliHarness,
  seenElsewhere: 'CliGeminiRunner, real CLI',
  literalSizes: [0, 10, 4_000, 2_000_000, 4_000_000],
  ownLines: frameInput('\0').split('\0'),
});

let root: string;
let directory: string;
let clock: FakeClock;

beforeEach(async () => {
  root = await makeSafeDirectory();
  directory = join(root, 'cli');
  clock = new FakeClock();
});

afterEach(async () => {
  const left = await leftoversOf(root);
  await rm(root, { recursive: true });
  expect(left).toEqual([]);
  expect(clock.sleeping).toBe(0);
});

type Run = {
  readonly text: string;
  readonly events: readonly RunEvent[];
  /** Null for an answer. */
  readonly failure: GeminiFailure | null;
};

/** A run, and what its process left. */
type ReportedRun = Run & { readonly outcome: CliOutcome | null };

type RunOptions = Partial<CliGeminiRunnerOptions> & {
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

async function run({ input = 'Hi', timeoutMs = 60_000, signal, ...options }: RunOptions = {}): Promise<ReportedRun> {
  let outcome: CliOutcome | null = null;
  const onRun = (report: RunReport): void => {
    outcome = report.type === 'ended' ? report.outcome : outcome;
  };
  const runner = new CliGeminiRunner({ ...optionsFor(root, clock), onRun, ...options });
  const request = { model: 'gemini-2.5-pro', input, deadlineAtMs: clock.now() + timeoutMs };
  const collected = await collect(runner.run(request, signal ?? new AbortController().signal));
  return { ...collected, outcome };
}

async function collect(stream: AsyncIterable<RunEvent>): Promise<Run> {
  const events: RunEvent[] = [];
  for await (const event of stream) {
    events.push(event);
  }
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  return { text, events, failure: failureOfEvents(events) };
}

async function prepare(...runs: readonly [readonly CliStep[], ...(readonly CliStep[])[]]): Promise<string> {
  return createFakeGeminiCli({ scenario: { runs }, directory });
}

async function play(steps: readonly CliStep[], options: RunOptions = {}): Promise<ReportedRun> {
  await prepare(steps);
  return run(options);
}

async function firstInvocation(): Promise<CliInvocation> {
  const [invocation] = await readInvocations(directory);
  if (invocation === undefined) {
    throw new Error('The fake CLI has not been started.');
  }
  return invocation;
}

/** Plays until a step has touched the file `ready`, then lets the time of the run pass. */
async function playUntilDeadline(steps: readonly CliStep[]): Promise<ReportedRun> {
  await prepare(steps);
  const playing = run({ timeoutMs: 60_000 });
  await whenFileExists(directory, 'ready');
  await clock.advance(60_000);
  return playing;
}

const ready: CliStep = { do: 'touch', file: 'ready' };

it('a CLI that stays after its answer, deaf to signals, does not hold the answer up', async () => {
  const { text, failure } = await play([{ do: 'ignore-signals' }, ...cliAnswer('done'), { do: 'hang' }]);
  expect(text).toBe('done');
  expect(failure).toBeNull();
});

describe('the start of the CLI', () => {
  it.each(['--approval-mode=yolo', '--yolo', '-', '-x', '', '/evil args', '@inside.txt', '!{touch PWN}'])(
    'ARGV-01: the input %j is data: argv holds our own flags alone',
    async (input) => {
      await play(cliAnswer('ok'), { input });
      const { argv } = await firstInvocation();
      expect(argv).toEqual([
        '--model=gemini-2.5-pro',
        '--output-format=stream-json',
        expect.stringMatching(/^--policy=.*\/policy\.toml$/),
        expect.stringMatching(/^--admin-policy=.*\/policy\.toml$/),
        '--allowed-mcp-server-names=none',
        '--extensions=none',
      ]);
      expect(receivedBy(directory)).toEqual([input]);
    },
  );

  it('ARGV-04: 200,000 characters go by stdin', async () => {
    const input = 'x'.repeat(200_000);
    expect((await play(cliAnswer('ok'), { input })).text).toBe('ok');
    expect(receivedBy(directory)).toEqual([input]);
  });

  it('CLI-13: the CLI finds the whole input at once, then its end', async () => {
    const input = hostileText.repeat(10_000);
    await play([{ do: 'read-stdin' }, ...cliAnswer('ok')], { input });
    const { stdin } = await firstInvocation();
    expect(stdin?.bytes).toBe(Buffer.byteLength(frameInput(input)));
  });

  it('ARGV-11, CONTENT-04: a key is never in a command line, and stdin begins with a line of ours', async () => {
    await prepare([{ do: 'spawn' }, ready, { do: 'hang' }]);
    const controller = new AbortController();
    const playing = run({ input: '/evil args', signal: controller.signal });
    await whenFileExists(directory, 'ready');
    const { pid, argv, env } = await firstInvocation();
    const commandLine = process.platform === 'linux' ? await readFile(`/proc/${pid}/cmdline`, 'utf8') : argv.join('\0');
    controller.abort();
    await playing;
    expect(env['GEMINI_API_KEY']).toBe(key);
    expect(commandLine).toContain('--model=gemini-2.5-pro');
    expect(commandLine).not.toContain(key);
    expect(frameInput('/evil args')).toMatch(/^\/gemini-mcp-request\n/);
  });

  it('CONFIG-07: the environment is an allow-list, and programs come only from directories that no other user can write to', async () => {
    const environment = {
      ...optionsFor(root, clock).environment,
      PATH: `.::${root}:/usr/bin:relative:/bin`,
      GEMINI_SYSTEM_MD: '/evil.md',
      GEMINI_MODEL: 'evil',
      GEMINI_CLI_HOME: '/evil',
      GEMINI_CLI_CUSTOM_HEADERS: 'x: evil',
      GEMINI_CLI_SYSTEM_SETTINGS_PATH: '/evil.json',
      NODE_OPTIONS: '--title=evil',
      GITHUB_TOKEN: 'evil',
    };
    await chmod(root, 0o777);
    await play(cliAnswer('ok'), { environment });
    await chmod(root, 0o700);
    const { env, umask, cwd } = await firstInvocation();
    expect(JSON.stringify(env)).not.toContain('evil');
    expect(env).toMatchObject({ PATH: '/usr/bin:/bin', HOME: root, NO_BROWSER: 'true' });
    const places = [cwd, env['GEMINI_CLI_HOME'], env['TMPDIR']];
    expect(places.every((place) => place?.startsWith(join(root, 'runs')))).toBe(true);
    expect(umask).toBe(0o077);
  });

  it('does not know what opens the server, and does not say it', async () => {
    const token = 'opens-the-server-to-any-holder';
    const environment = { ...optionsFor(root, clock).environment, GEMINI_MCP_TOKEN: token };
    const { outcome } = await play([{ do: 'write', to: 'stderr', text: `Found ${token}` }], { environment });
    expect(JSON.stringify((await firstInvocation()).env)).not.toContain(token);
    expect(outcome?.stderr).toBe('Found [redacted]');
  });

  it('a key that lies in the user’s .env reaches the CLI, and is hidden like any other', async () => {
    const secret = 'a-key-without-any-known-shape';
    await mkdir(join(root, '.gemini'));
    await writeFile(join(root, '.gemini', '.env'), `GEMINI_API_KEY=${secret}\nGEMINI_SYSTEM_MD=/evil.md\n`);
    const { GEMINI_API_KEY: _, ...environment } = optionsFor(root, clock).environment;
    const { outcome } = await play([{ do: 'leak', to: 'stderr', forms: ['plain', 'base64'] }], { environment });
    const { env } = await firstInvocation();
    expect(env['GEMINI_API_KEY']).toBe(secret);
    expect(env['GEMINI_SYSTEM_MD']).not.toBe('/evil.md');
    expect(outcome?.stderr).toMatch(/^\[redacted\]\n\[redacted\]/);
  });
});

describe('how a run ends', () => {
  it('CLI-01: a CLI that hangs and ignores everything is gone after the deadline; its text is kept', async () => {
    const steps: readonly CliStep[] = [{ do: 'init' }, { do: 'text', chunks: ['partial'] }, { do: 'ignore-signals' }];
    const { text, failure, outcome } = await playUntilDeadline([...steps, ready, { do: 'hang' }]);
    expect(text).toBe('partial');
    expect(outcome).toMatchObject({
      termination: 'timed-out',
      signal: 'SIGKILL',
      answered: true,
      completion: 'missing',
    });
    expect(failure).toEqual({ kind: 'timeout' });
  });

  it('CLI-04: grandchildren are gone before the outcome, one in a session of its own too', async () => {
    const spawning: readonly CliStep[] = [
      { do: 'spawn', holdsOutput: true },
      { do: 'spawn', ignoresSignals: true },
      { do: 'spawn', isDetached: true, ignoresSignals: true, holdsOutput: true },
    ];
    const { failure } = await play([...spawning, ...cliAnswer('ok')]);
    expect(failure).toBeNull();
    const { children } = await firstInvocation();
    expect(children).toHaveLength(3);
    expect(children.filter(({ pid }) => isAlive({ pid, startTicks: null }))).toEqual([]);
  });

  it.each([
    [41, cliStartFailure(41), 'authentication'],
    [42, cliStartFailure(42), 'invalid-input'],
    [44, cliStartFailure(44), 'sandbox-missing'],
    [52, cliStartFailure(52), 'configuration'],
    [55, cliStartFailure(55), 'untrusted-workspace'],
    [53, cliFatalRun(53), 'turn-limit'],
    [54, cliFatalRun(54), 'tool-denied'],
    [139, [...cliOpening(), { do: 'exit', code: 139 } as const], 'crashed'],
    [1, [...cliOpening(), { do: 'exit', code: 1 } as const], 'unknown'],
  ])('CLI-06: exit code %i is reported with the output', async (exitCode, steps, kind) => {
    const { failure, outcome } = await play(steps);
    expect(outcome).toMatchObject({ termination: 'exited', exitCode, signal: null, httpStatus: null, answered: false });
    expect(outcome?.completion).not.toBe('success');
    expect(failure?.kind).toBe(kind);
  });

  it('CLI-06: exit code 130 is not an answer', async () => {
    const { failure, outcome } = await play(cliFatalRun(130));
    expect(outcome).toMatchObject({
      termination: 'exited',
      exitCode: 130,
      completion: 'error',
      messages: ['Operation cancelled.'],
    });
    expect(failure).not.toBeNull();
  });

  it('CLI-06: a crash is a signal', async () => {
    const { failure, outcome } = await play([...cliOpening(), { do: 'kill-self', signal: 'SIGSEGV' }]);
    expect(outcome).toMatchObject({ termination: 'exited', exitCode: null, signal: 'SIGSEGV', completion: 'missing' });
    expect(failure).toEqual({ kind: 'crashed', detail: 'was ended by SIGSEGV', excerpt: '' });
  });

  it.each<[string, readonly CliStep[], string, string]>([
    ['CLI-07: garbage', [{ do: 'write', to: 'stdout', text: 'gar\nbage' }], 'gar\nbage\n', 'malformed-output'],
    ['CLI-07: nothing', [{ do: 'read-stdin' }], '', 'empty-answer'],
    ['CLI-08: an empty response', cliEmptyResponse(), '{"response":"","stats":{"models":{}}}\n', 'empty-answer'],
    ['CLI-08: a success without text', [...cliOpening(), { do: 'result', status: 'success' }], '', 'empty-answer'],
    ['CLI-07: text without a result', [...cliOpening(), { do: 'text', chunks: ['half'] }], '', 'malformed-output'],
  ])('%s and exit code 0 is not a success', async (_, steps, strayOutput, kind) => {
    const { failure, outcome } = await play(steps);
    expect(outcome).toMatchObject({ termination: 'exited', exitCode: 0, strayOutput });
    expect(failure?.kind).toBe(kind);
  });

  it('CLI-16: a login page that waits for a code ends at the deadline', async () => {
    const { outcome } = await playUntilDeadline([ready, ...cliLoginPrompt()]);
    expect(outcome).toMatchObject({ termination: 'timed-out', sawEvents: false, answered: false });
    expect((await firstInvocation()).env['NO_BROWSER']).toBe('true');
  });

  it('a deadline that has passed starts nothing', async () => {
    const { failure, outcome } = await play(cliAnswer('ok'), { timeoutMs: 0 });
    expect(failure).toEqual({ kind: 'timeout' });
    expect(outcome).toBeNull();
    expect(await readInvocations(directory)).toEqual([]);
  });

  it('an abort at any moment of the start leaves nothing', async () => {
    await prepare([...cliOpening(), { do: 'hang' }]);
    const runner = new CliGeminiRunner(optionsFor(root, clock));
    for (let turns = 0; turns < 24; turns += 1) {
      const controller = new AbortController();
      const request = { model: 'm', input: 'Hi', deadlineAtMs: clock.now() + 60_000 };
      const collecting = collect(runner.run(request, controller.signal));
      for (let turn = 0; turn < turns; turn += 1) {
        await nextTurn();
      }
      controller.abort();
      const { failure } = await collecting;
      expect([turns, failure?.kind]).toEqual([turns, 'cancelled']);
      expect(await leftoversOf(root)).toEqual([]);
    }
  });

  it('one that is cancelled while the CLI is looked for does not decide for the others', async () => {
    await prepare(cliAnswer('ok'));
    const found: GeminiCli[] = [];
    const runner = new CliGeminiRunner({ ...optionsFor(root, clock), onCliFound: (cli) => found.push(cli) });
    const request = { model: 'm', input: 'Hi', deadlineAtMs: clock.now() + 60_000 };
    const controller = new AbortController();
    const first = collect(runner.run(request, controller.signal));
    const second = collect(runner.run(request, new AbortController().signal));
    controller.abort();
    expect((await first).failure).toEqual({ kind: 'cancelled' });
    expect((await second).text).toBe('ok');
    expect(found).toHaveLength(1);
  });
});

describe('obstacles to a run', () => {
  it('looks again for a CLI that has disappeared', async () => {
    const path = await prepare(cliAnswer('ok'));
    await mkdir(join(root, 'bin'));
    await rename(path, join(root, 'bin', 'gemini'));
    const { GEMINI_MCP_CLI: _, ...others } = optionsFor(root, clock).environment;
    const environment = { ...others, PATH: `${root}/bin:${directory}:/usr/bin:/bin` };
    const found: string[] = [];
    const onCliFound = (cli: GeminiCli) => found.push(cli.path);
    const runner = new CliGeminiRunner({ ...optionsFor(root, clock), environment, onCliFound });
    const ask = () =>
      collect(
        runner.run({ model: 'm', input: 'Hi', deadlineAtMs: clock.now() + 60_000 }, new AbortController().signal),
      );
    expect((await ask()).text).toBe('ok');
    expect((await ask()).text).toBe('ok');
    await rename(join(root, 'bin', 'gemini'), path);
    expect((await ask()).text).toBe('ok');
    expect(found).toEqual([join(root, 'bin', 'gemini'), path]);
  });

  it('returns a missing CLI as a failure, and finds it once it is installed', async () => {
    const runner = new CliGeminiRunner(optionsFor(root, clock));
    const ask = () =>
      collect(
        runner.run({ model: 'm', input: 'Hi', deadlineAtMs: clock.now() + 60_000 }, new AbortController().signal),
      );
    expect((await ask()).failure).toMatchObject({ kind: 'cli-missing' });
    await prepare(cliAnswer('ok'));
    expect((await ask()).text).toBe('ok');
  });

  it.skipIf(process.platform === 'win32')(
    'a directory for runs that cannot be used is data, and nothing is started',
    async () => {
      await prepare(cliAnswer('ok'));
      await writeFile(join(root, 'file'), '');
      await mkdir(join(root, 'open'), { mode: 0o755 });
      await chmod(join(root, 'open'), 0o755);
      for (const runsDirectory of [join(root, 'file'), join(root, 'file', 'runs'), join(root, 'open')]) {
        const { failure } = await run({ runsDirectory });
        expect(failure).toMatchObject({ kind: 'configuration' });
      }
      expect(await readdir(join(root, 'open'))).toEqual([]);
      expect(await readInvocations(directory)).toEqual([]);
    },
  );

  it('a run whose directory is taken away in its middle still ends', async () => {
    await prepare([
      ...cliOpening(),
      { do: 'text', chunks: ['a'] },
      { do: 'await-file', file: 'go' },
      { do: 'result', status: 'success' },
    ]);
    const playing = run();
    await whenInvoked(directory, 1);
    await rm(join(root, 'runs'), { recursive: true });
    await writeFile(join(directory, 'go'), '');
    expect((await playing).failure).toBeNull();
  });
});

describe('the output of a CLI', () => {
  it('SECRET-05: a CLI that says its key and the whole request on stderr shows neither key nor more than 4 KiB', async () => {
    const forms = ['plain', 'split', 'base64', 'url', 'json'] as const;
    const input = `${'the request '.repeat(5_000)}${key} ${Buffer.from(`x${key}`).toString('base64')}`;
    const leaks: readonly CliStep[] = [
      { do: 'leak', to: 'stderr', forms },
      { do: 'leak', to: 'stdout', forms },
      { do: 'leak', to: 'stderr', forms },
      { do: 'write', to: 'stdout', text: '\n' },
      { do: 'event', event: { type: 'error', message: `${'m'.repeat(4_080)}${key}` } },
      { do: 'exit', code: 41 },
    ];
    const { outcome } = await play(leaks, { input });
    expect(outcome?.stderr.length).toBeLessThanOrEqual(4_096);
    expect(outcome?.strayOutput).toHaveLength(500);
    expect(outcome?.messages.map((message) => message.length)).toEqual([4_090]);
    const shown = JSON.stringify(outcome);
    const sure = [0, 1, 2].map((offset) =>
      Buffer.from(`${'x'.repeat(offset)}${key}`)
        .toString('base64')
        .slice(4, -4),
    );
    for (const form of [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), ...sure]) {
      expect(shown).not.toContain(form);
      expect(shown).not.toContain(JSON.stringify(form).slice(1, -1));
    }
    expect(shown).toContain('[redacted]');
  });

  it.each<[string, readonly CliStep[]]>([
    ['stdout, in events', cliEndlessText(200_000_000)],
    ['stdout, one line', [{ do: 'flood', to: 'stdout', bytes: 200_000_000, pattern: 'x' }, { do: 'hang' }]],
    [
      'stdout, garbage',
      [{ do: 'flood', to: 'stdout', bytes: 200_000_000, pattern: '{"type":"garbage"\n' }, { do: 'hang' }],
    ],
    ['stderr', [{ do: 'flood', to: 'stderr', bytes: 200_000_000, pattern: 'noise\n' }, { do: 'hang' }]],
  ])('CLI-11: 200 MB on %s: the run is ended, memory and event loop stay as they are', async (_, steps) => {
    await prepare(steps);
    const runner = new CliGeminiRunner(optionsFor(root, clock));
    const request = { model: 'm', input: 'Hi', deadlineAtMs: clock.now() + 60_000 };
    const lag = monitorEventLoopDelay({ resolution: 10 });
    const before = process.memoryUsage.rss();
    let highest = before;
    const sampling = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage.rss());
    }, 10);
    lag.enable();
    let last: RunEvent | undefined;
    for await (const event of runner.run(request, new AbortController().signal)) {
      last = event;
    }
    lag.disable();
    clearInterval(sampling);
    expect(last).toMatchObject({ failure: { kind: 'malformed-output' } });
    // Node 24 lets short-lived objects take 134 MB before it clears them away, Node 20 and 22 let them take 34 MB.
    const isRoomy = Number.parseInt(process.versions.node, 10) >= 24;
    expect(highest - before).toBeLessThan(isRoomy ? 164_000_000 : 64_000_000);
    // Tens of milliseconds if nothing else runs; a reader of everything at once stops for seconds.
    expect(lag.max / 1e6).toBeLessThan(1_000);
  });

  it('CLI-11: a flood that ignores SIGTERM is read no further while it is being ended', async () => {
    const { text, outcome } = await play([{ do: 'ignore-signals' }, ...cliEndlessText(300_000_000)]);
    expect(outcome).toMatchObject({ termination: 'output-limit', signal: 'SIGKILL' });
    expect(text.length).toBeLessThanOrEqual(33_554_432);
  });

  it('CLI-11: a byte now and then for ever ends at the deadline', async () => {
    const drip: CliStep = { do: 'drip', to: 'stdout', text: 'x', intervalMs: 1, isEndless: true };
    const { outcome } = await playUntilDeadline([ready, drip]);
    expect(outcome).toMatchObject({ termination: 'timed-out', answered: false });
  });

  it('CLI-11: random bytes are malformed output', async () => {
    const random = { do: 'random', bytes: 1_000_000 } as const;
    const { failure, outcome } = await play([
      { ...random, to: 'stderr' },
      { ...random, to: 'stdout' },
    ]);
    expect(outcome).toMatchObject({ termination: 'exited', completion: 'missing', sawEvents: false });
    expect(failure?.kind).toBe('malformed-output');
  });

  it('CLI-11: characters that come in pieces come whole', async () => {
    const event = { type: 'message', role: 'assistant', content: 'é 日本 😀', delta: true };
    const drip: CliStep = { do: 'drip', to: 'stdout', text: `${JSON.stringify(event)}\n`, intervalMs: 0 };
    expect((await play([drip])).text).toBe('é 日本 😀');
  });
});
