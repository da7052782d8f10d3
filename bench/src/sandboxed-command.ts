import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NodeExecutor, SystemClock } from '@gemini-mcp/adapters-node';
import { GuardedLook } from '@gemini-mcp/adapters-node/internal';
import type { CommandPlan, CommandReport, Workspace } from '@gemini-mcp/core';
import { parseCommand } from '@gemini-mcp/tool-host';
import { atMost, type Benchmark, type Comparison, figureBelow } from './benchmark.ts';
import { interleave } from './interleave.ts';
import { Series } from './series.ts';

const never = new AbortController().signal;

/** A command that does nothing, in the sandbox: by the executor, and by bubblewrap alone with the very same walls. */
export const sandboxedCommand: Benchmark = {
  name: 'sandbox',
  defaultRounds: 100,
  run: async (_workbench, rounds) => {
    const directory = await realpath(await mkdtemp(join(tmpdir(), 'bench-sandbox-')));
    const workspace = await openWorkspace(directory);
    try {
      const { handle } = await run(workspace, 'sleep 1000', 1_000);
      const bare = await readRunningSandbox();
      const [bareMs, oursMs, pipedMs] = [new Series(), new Series(), new Series()];
      const [lineMs, singlesMs] = [new Series(), new Series()];
      await interleave(rounds, [
        async () => [{ series: bareMs, figure: await timed(() => runBare(bare)) }],
        async () => [{ series: oursMs, figure: await timed(() => run(workspace, 'true', 60_000)) }],
        async () => [{ series: pipedMs, figure: await timed(() => run(workspace, 'true | cat > /dev/null', 60_000)) }],
      ]);
      await interleave(Math.ceil(rounds / programs.length), [
        async () => [{ series: lineMs, figure: await timed(() => run(workspace, programs.join(' && '), 60_000)) }],
        async () => [{ series: singlesMs, figure: await timed(() => runEach(workspace, programs)) }],
      ]);
      await workspace.pollCommand({ handle: handle ?? '', waitMs: 0, stop: true }, never);
      const common = { unit: 'ms', baseline: bareMs.median } as const;
      return [
        { ...common, what: 'A sandboxed `true`; against bare bubblewrap', ours: oursMs.median, target: atMost(2.2) },
        { ...common, what: 'A pipe of two; against one bare bubblewrap', ours: pipedMs.median, target: null },
        {
          ...{ what: 'A line of ten programs; against ten commands', unit: 'ms', ours: lineMs.median },
          ...{ baseline: singlesMs.median, target: atMost(1.2) },
        },
        ...(await timeLooks(directory)),
      ];
    } finally {
      await workspace.close();
      await rm(directory, { recursive: true });
    }
  },
};

const programs = Array<string>(10).fill('true');

async function runEach(workspace: Workspace, lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    await run(workspace, line, 60_000);
  }
}

/** What a command is kept from in a project of some 50,000 entries: looked for the first time, and before each later program. */
async function timeLooks(directory: string): Promise<readonly Comparison[]> {
  const project = join(directory, 'large');
  for (let index = 0; index < 2_400; index += 1) {
    const unit = join(project, `part-${index % 50}`, `unit-${index}`);
    await mkdir(unit, { recursive: true });
    await Promise.all(Array.from({ length: 20 }, (_, file) => writeFile(join(unit, `file-${file}.ts`), '')));
  }
  const [walkMs, firstMs, laterMs] = [new Series(), new Series(), new Series()];
  await interleave(5, [
    async () => [
      { series: walkMs, figure: await timed(() => readdir(project, { recursive: true, withFileTypes: true })) },
    ],
    async () => {
      const look = new GuardedLook(project);
      const first = await timed(() => look.look());
      return [
        { series: firstMs, figure: first },
        { series: laterMs, figure: await timed(() => look.look()) },
      ];
    },
  ]);
  const common = { unit: 'ms', baseline: walkMs.median } as const;
  return [
    { ...common, what: 'Protecting 50,000 entries; against a walk', ours: firstMs.median, target: figureBelow(500) },
    { ...common, what: 'The same again, before each program', ours: laterMs.median, target: figureBelow(120) },
  ];
}

async function openWorkspace(directory: string): Promise<Workspace> {
  const project = join(directory, 'project');
  await mkdir(project);
  const executor = new NodeExecutor({
    clock: new SystemClock(),
    stateDirectory: join(directory, 'state'),
    privateDirectories: [],
    environment: process.env,
    toolPaths: [],
  });
  const opened = await executor.open(
    { runId: 'bench', owner: 'bench', workingDirectory: project, roots: [project], mode: 'full', network: false },
    never,
  );
  if (!opened.ok) {
    throw new Error(opened.refusal.message);
  }
  await opened.value.prepareCommands(never);
  return opened.value;
}

async function run(workspace: Workspace, line: string, waitMs: number): Promise<CommandReport> {
  const ran = await workspace.runCommand({ plan: planOf(line), timeoutMs: 3_600_000, waitMs }, never);
  if (!ran.ok || (ran.value.end !== null && (ran.value.end.type !== 'exited' || ran.value.end.exitCode !== 0))) {
    throw new Error(`The command ${line} failed: ${JSON.stringify(ran)}`);
  }
  return ran.value;
}

function planOf(line: string): CommandPlan {
  const reading = parseCommand(line);
  if (!reading.ok) {
    throw new Error(reading.refusal.reason);
  }
  return reading.plan;
}

/**
 * The arguments of the sandbox that runs now, for a program that ends at once, without what tells the executor how it goes and without the
 * filter of system calls.
 */
async function readRunningSandbox(): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').then(
      (text) => text.split('\0').slice(0, -1),
      () => [],
    );
    const [program, status, , ...others] = words;
    if (program?.endsWith('/bwrap') && status === '--json-status-fd' && words.at(-1) === '1000') {
      const walls = byPaths(others.slice(others.indexOf('--unshare-user'), others.indexOf('--')));
      const bounds = others.slice(others.indexOf('gate') + 1, others.lastIndexOf('--') + 1);
      return [program, ...walls, '--', ...bounds, 'true'];
    }
  }
  throw new Error('There is no sandbox to be seen.');
}

/** Names what is mounted by its path: its descriptor is not there any more. */
function byPaths(walls: readonly string[]): readonly string[] {
  return walls.map((word, index) => {
    const path = walls[index + 1] ?? '';
    return word.endsWith('bind-fd')
      ? word.slice(0, -'-fd'.length)
      : walls[index - 1]?.endsWith('bind-fd')
        ? path
        : word;
  });
}

async function runBare([program = '', ...others]: readonly string[]): Promise<void> {
  const child = spawn(program, others, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: '/usr/bin:/bin' } });
  const [exitCode] = await once(child, 'close');
  if (exitCode !== 0) {
    throw new Error(`bubblewrap ended with ${exitCode}`);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}
