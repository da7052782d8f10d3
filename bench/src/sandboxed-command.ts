import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NodeExecutor, SystemClock } from '@gemini-mcp/adapters-node';
import { GuardedLook } from '@gemini-mcp/adapters-node/internal';
import { parseCommand } from '@gemini-mcp/agent-tools';
import type { CommandReport, Workspace } from '@gemini-mcp/core';
import { atMost, type Benchmark, figureBelow, type Row } from './benchmark.ts';
import { inTurns, median, repeat, timed } from './in-turns.ts';
import type { Workbench } from './workbench.ts';

const never = new AbortController().signal;

/** A command that does nothing, in the sandbox: by the executor, and by bubblewrap alone with the very same walls. */
export const sandboxedCommand: Benchmark = {
  name: 'sandbox',
  defaultRounds: 100,
  run: async (workbench, rounds) => {
    const workspace = await openWorkspace(workbench);
    const runLine = (line: string): Promise<number> => timed(() => run(workspace, line, 60_000));
    const { handle } = await run(workspace, 'sleep 1000', 1_000);
    const bare = await readRunningSandbox();
    const single = await inTurns(rounds, [
      async () => ({ bare: await timed(() => runBare(bare)) }),
      async () => ({ ours: await runLine('true') }),
    ]);
    const ten = await inTurns(Math.ceil(rounds / 10), [
      async () => ({ line: await runLine(Array(10).fill('true').join(' && ')) }),
      async () => ({ singles: await timed(() => repeat(10, () => runLine('true'))) }),
    ]);
    await workspace.pollCommand({ handle: handle ?? '', waitMs: 0, stop: true }, never);
    return [
      {
        what: 'A sandboxed `true`; against bare bubblewrap',
        baseline: median(single.bare),
        ours: median(single.ours),
        target: atMost(2.2),
      },
      {
        what: 'A line of ten programs; against ten commands',
        baseline: median(ten.singles),
        ours: median(ten.line),
        target: atMost(1.2),
      },
      ...(await timeLooks(await realpath(await workbench.makeDirectory()))),
    ];
  },
};

/** The time to find the protected entries in a project of some 50,000 entries: the first time, and before each later program. */
async function timeLooks(project: string): Promise<readonly Row[]> {
  for (let index = 0; index < 2_400; index += 1) {
    const unit = join(project, `part-${index % 50}`, `unit-${index}`);
    await mkdir(unit, { recursive: true });
    await Promise.all(Array.from({ length: 20 }, (_, file) => writeFile(join(unit, `file-${file}.ts`), '')));
  }
  const times = await inTurns(5, [
    async () => ({ walk: await timed(() => readdir(project, { recursive: true, withFileTypes: true })) }),
    async () => {
      const look = new GuardedLook(project);
      return { first: await timed(() => look.look()), later: await timed(() => look.look()) };
    },
  ]);
  const [baseline, ours, later] = [median(times.walk), median(times.first), median(times.later)];
  return [
    { what: 'Protecting 50,000 entries; against a walk', baseline, ours, target: figureBelow(500) },
    { what: 'The same again, before each program', baseline, ours: later, target: figureBelow(120) },
  ];
}

/** An empty project as a run of the agent has it. It is closed with the workbench. */
async function openWorkspace(workbench: Workbench): Promise<Workspace> {
  const project = await realpath(await workbench.makeDirectory());
  const executor = new NodeExecutor({
    clock: new SystemClock(),
    stateDirectory: await workbench.makeDirectory(),
    privateDirectories: [],
    environment: process.env,
    toolPaths: [],
  });
  const run = { runId: 'bench', owner: 'bench', mode: 'full', network: false } as const;
  const opened = await executor.open({ ...run, workingDirectory: project, roots: [project] }, never);
  if (!opened.ok) {
    throw new Error(opened.refusal.message);
  }
  workbench.onClose(() => opened.value.close());
  await opened.value.prepareCommands(never);
  return opened.value;
}

async function run(workspace: Workspace, line: string, waitMs: number): Promise<CommandReport> {
  const reading = parseCommand(line);
  if (!reading.ok) {
    throw new Error(reading.refusal.reason);
  }
  const ran = await workspace.runCommand({ plan: reading.plan, timeoutMs: 3_600_000, waitMs }, never);
  if (!ran.ok || (ran.value.end !== null && (ran.value.end.type !== 'exited' || ran.value.end.exitCode !== 0))) {
    throw new Error(`The command ${line} failed: ${JSON.stringify(ran)}`);
  }
  return ran.value;
}

/**
 * The arguments of the sandbox that runs now, for a program that ends at once, without the pipe that reports to the executor and without the
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

/** Mounts by path, because the descriptors are closed by now. */
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
