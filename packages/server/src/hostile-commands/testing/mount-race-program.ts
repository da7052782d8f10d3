import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Workspace } from '@gemini-mcp/core';
import { openAttacked, planOfLine } from './open-attacked.ts';

type MountRaceReport = {
  /** Commands whose program began. */
  ran: number;
  /** Commands that were refused or ended before their program began. */
  stopped: number;
  /** Commands before which names led elsewhere than before the command before. */
  exchanged: number;
  /** What commands said of places outside. */
  readonly reads: string[];
  /** What commands changed outside. */
  readonly changes: string[];
};

const never = new AbortController().signal;
const [, , base = '', task = '{}', scene = ''] = process.argv;
const project = join(base, 'project');
const outside = join(base, 'outside');

/** The two names to exchange, and the script that creates names below them that get their own mounts once the exchanges run. */
const scenes: Readonly<Record<string, Scene>> = {
  nested: { pair: ['k', 'k2'], script: 'mkdir k/.github; ln -s ../.. k2/.github' },
  writable: { pair: ['pk', 'pk2'], script: 'ln -s ../.. pk2/sub' },
  working: { pair: ['w', 'to-outside'], script: 'true', directory: 'w' },
  masked: { pair: ['d', 'to-outside'], script: 'touch d/.env d/id_rsa; mkdir d/.claude' },
  host: { pair: ['x', 'to-host'], script: 'touch x/.env x/id_rsa; mkdir -p x/.vscode' },
  thread: { pair: ['y', 'to-host'], script: 'touch y/.env y/id_rsa; mkdir -p y/.vscode', options: '--thread' },
};

type Scene = {
  readonly pair: readonly [string, string];
  readonly script: string;
  readonly options?: string;
  readonly directory?: string;
};

function prepare(): readonly string[] {
  for (const path of ['d', 'w', 'pk/sub', 'pk2', 'x', 'y', 'k', 'k2']) {
    mkdirSync(join(project, path), { recursive: true });
  }
  mkdirSync(join(outside, '.vscode'), { recursive: true });
  mkdirSync(join(outside, '.git'));
  writeFileSync(join(outside, 'canary.txt'), 'CANARY');
  for (const name of ['.npmrc', 'AGENTS.md']) {
    writeFileSync(join(outside, name), '');
  }
  symlinkSync('../outside', join(project, 'to-outside'));
  symlinkSync(`/oldroot${outside}`, join(project, 'to-host'));
  copyFileSync(join(dirname(base), 'exchange'), join(project, 'exchange'));
  return snapshot();
}

function open(runId: string, workingDirectory = project): Promise<Workspace | null> {
  return openAttacked(join(base, 'state'), { runId, roots: [project, join(project, 'pk/sub')], workingDirectory });
}

/** Starts a command that goes on. Resolves when it exchanges names, to the run. */
async function exchange(name: string): Promise<Workspace> {
  const { pair, script, options } = scenes[name] ?? { pair: ['d', 'd'], script: 'false' };
  const workspace = await open(`exchanger-${name}`);
  const plan = planOfLine(`sh -c '${script}; exec ./exchange ${options ?? ''} ${pair.join(' ')}'`);
  const begun = await workspace?.runCommand({ plan, timeoutMs: 1_800_000, waitMs: 0 }, never);
  const handle = begun?.ok === true ? (begun.value.handle ?? '') : '';
  for (let output = ''; !output.includes('ready'); ) {
    const polled = await workspace?.pollCommand({ handle, waitMs: 50, stop: false }, never);
    if (workspace === null || polled?.ok !== true || polled.value.end !== null) {
      throw new Error(JSON.stringify(polled));
    }
    output += polled.value.output;
  }
  return workspace as Workspace;
}

/** A server of its own, as each client of the server over stdio has one. */
async function startSecondServer(name: string): Promise<ChildProcess> {
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
  const child = fork(process.argv[1] ?? '', [base, task, name], { stdio: [...stdio] });
  await once(child, 'message');
  return child;
}

const look = `sh -c 'cat ${outside}/canary.txt; ls -a ${base} ${outside} /var; echo made > ${outside}/made.txt; touch ${base}/made.txt'`;
const commandsOfRun = 5;

/** Commands in runs of their own, and in the run that exchanges names. */
async function race(name: string, commands: number, report: MountRaceReport): Promise<void> {
  const isApart = name !== 'nested';
  const other = isApart ? await startSecondServer(name) : null;
  const exchanging = isApart ? null : await exchange(name);
  const directory = join(project, scenes[name]?.directory ?? '.');
  let [workspace, place] = [exchanging, 0];
  for (let index = 0; index < commands; index += 1) {
    if (index % commandsOfRun === 0 && (isApart || index > commands / 2)) {
      await closeUnless(exchanging, workspace);
      workspace = await open(`${name}-${index}`, directory);
    }
    const now = lstatSync(join(project, placeOf(name))).ino;
    report.exchanged += Number(now !== place);
    place = now;
    note(await outputOf(workspace, index % 3 === 0 ? `true && ${look}` : look), name, report);
  }
  other?.kill('SIGKILL');
  await closeUnless(exchanging, workspace);
  await exchanging?.close();
}

function placeOf(name: string): string {
  return scenes[name]?.pair[0] ?? '';
}

async function closeUnless(kept: Workspace | null, workspace: Workspace | null): Promise<void> {
  await (workspace === kept ? undefined : workspace?.close());
}

function note(output: string, name: string, report: MountRaceReport): void {
  report[output.includes("cannot access '/var'") ? 'ran' : 'stopped'] += 1;
  if (/CANARY|^canary|^state$/m.test(output)) {
    report.reads.push(`${name}: ${output}`);
  }
}

/** Nothing of a command that was refused. */
async function outputOf(workspace: Workspace | null, line: string): Promise<string> {
  const result = await workspace?.runCommand({ plan: planOfLine(line), timeoutMs: 60_000, waitMs: 60_000 }, never);
  return result?.ok === true ? result.value.output : '';
}

/** The entries outside, with the directory above. */
function snapshot(): readonly string[] {
  return [
    ...readdirSync(base),
    ...readdirSync(outside).map((name) => {
      const stats = lstatSync(join(outside, name));
      const content = stats.isFile() ? readFileSync(join(outside, name), 'utf8') : '';
      return `outside/${name} ${stats.mode} ${stats.mtimeMs} ${stats.nlink} ${content}`;
    }),
  ];
}

async function attack(commands: number): Promise<MountRaceReport> {
  const before = [...prepare(), 'state'];
  const report: MountRaceReport = { ran: 0, stopped: 0, exchanged: 0, reads: [], changes: [] };
  const names = Object.keys(scenes);
  for (const name of names) {
    await race(name, Math.ceil(commands / names.length), report);
    const after = snapshot();
    report.changes.push(...after.filter((entry) => !before.includes(entry)).map((entry) => `${name}: ${entry}`));
    report.changes.push(...before.filter((entry) => !after.includes(entry)).map((entry) => `${name}: not ${entry}`));
  }
  return report;
}

if (scene === '') {
  process.stdout.write(JSON.stringify(await attack(JSON.parse(task).commands)));
} else {
  await exchange(scene);
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}
