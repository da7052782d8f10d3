import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UndoReport, Workspace } from '@gemini-mcp/core';
import { ordinaryUser, PlaceSwapper } from '@gemini-mcp/fake-gemini';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../processes/system-clock.ts';
import { planOf } from './commands/testing/plan-of.ts';
import { NodeExecutor } from './node-executor.ts';
import { type BuiltProgram, buildProgram } from './testing/build-program.ts';

/** How long directories are exchanged; `GEMINI_MCP_SWAP_SECONDS=60` is the full proof. */
const swapSeconds = Number(process.env['GEMINI_MCP_SWAP_SECONDS'] ?? 1);

const modes = `
  async fill() {
    const { mkdirSync, readFileSync, writeFileSync, rmSync } = await import('node:fs');
    mkdirSync(workingDirectory);
    const names = Array.from({ length: 12 }, (_, index) => workingDirectory + '/file-' + index + '.txt');
    names.forEach((name, index) => writeFileSync(name, ('old ' + index + '\\n').repeat(5_000)));
    const before = names.map((name) => readFileSync(name, 'utf8'));
    const workspace = await open('edit');
    const codes = [];
    for (const [index, name] of names.entries()) {
      await viewWhole(workspace, name);
      const result = await workspace.putFile({ path: name, content: ('new ' + index + '\\n').repeat(12_000) }, signal);
      codes.push(result.ok ? 'done' : result.refusal.code);
    }
    await workspace.close();
    const isWhole = () => names.every((name, index) => {
      const text = readFileSync(name, 'utf8');
      return text === before[index] || text === ('new ' + index + '\\n').repeat(12_000);
    });
    const filler = workingDirectory + '/filler';
    try { for (;;) writeFileSync(filler, 'x'.repeat(512), { flag: 'a' }); } catch {}
    const full = await executor.undo({ runId, owner: 'alice' }, signal);
    const whole = isWhole();
    rmSync(filler);
    const last = await executor.undo({ runId, owner: 'alice' }, signal);
    const isBack = names.every((name, index) => readFileSync(name, 'utf8') === before[index]);
    tell(JSON.stringify({ codes: [...new Set(codes)].sort(), full, whole, last, isBack }));
  },

  async ravage() {
    const workspace = await open('full');
    const coverage = await workspace.prepareCommands(signal);
    const script = [
      'chmod 755 closed', 'rm closed/inside.txt', 'rm -f theirs.txt', 'chmod 600 unreadable.txt',
      'echo x > unreadable.txt', 'echo y > a.txt', 'chmod 700 a.txt', 'rmdir empty',
    ].join(' && ');
    const result = await workspace.runCommand({ plan: planOf('sh', '-c', script), timeoutMs: 60_000, waitMs: 60_000 }, signal);
    await workspace.close();
    const report = await executor.undo({ runId, owner: 'alice' }, signal);
    tell(JSON.stringify({ coverage, end: result.ok ? result.value.end : result.refusal, report }));
  },
`;

const noAbort = new AbortController().signal;
let program: BuiltProgram;
let base: string;
let executor: NodeExecutor;

beforeAll(async () => {
  program = await buildProgram(modes);
});

afterAll(() => program.remove());

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'executor-hostile-')));
  mkdirSync(project('src'), { recursive: true });
  executor = new NodeExecutor({
    ...{ clock: new SystemClock(), stateDirectory: join(base, 'state'), privateDirectories: [] },
    ...{ environment: {}, toolPaths: [] },
  });
});

afterEach(() => rmSync(base, { recursive: true }));

function project(name = ''): string {
  return join(base, 'project', name);
}

async function open(mode: 'edit' | 'full', runId = 'run-1'): Promise<Workspace> {
  const places = { workingDirectory: project(), roots: [project()] };
  const opened = await executor.open({ runId, owner: 'alice', ...places, mode, network: false }, noAbort);
  if (!opened.ok) {
    throw new Error(opened.refusal.message);
  }
  return opened.value;
}

async function put(workspace: Workspace, path: string, content: string): Promise<boolean> {
  await workspace.viewFile({ path }, noAbort);
  return (await workspace.putFile({ path, content }, noAbort)).ok;
}

async function run(workspace: Workspace, script: string): Promise<void> {
  await workspace.prepareCommands(noAbort);
  const request = { plan: planOf('sh', '-c', script), timeoutMs: 60_000, waitMs: 60_000 };
  expect(await workspace.runCommand(request, noAbort)).toMatchObject({
    ok: true,
    value: { end: { type: 'exited', exitCode: 0 } },
  });
}

async function undo(runId = 'run-1'): Promise<Readonly<Record<string, string>>> {
  return outcomesOf(await executor.undo({ runId, owner: 'alice' }, noAbort));
}

function outcomesOf(report: UndoReport): Readonly<Record<string, string>> {
  const paths = report.found ? report.paths : [];
  return Object.fromEntries(paths.map(({ path, outcome, reason }) => [path, `${outcome} ${reason}`.trim()]));
}

/** Whether this user may mount a disk that no other process sees, and that disappears with the process. */
function mayMount(): boolean {
  return spawnSync('sh', ['-c', 'unshare -rm mount -t tmpfs none /tmp'], { stdio: 'ignore' }).status === 0;
}

const isLinux = process.platform === 'linux';

describe.skipIf(!mayMount())('NodeExecutor, on a full disk', () => {
  it('UNDO-06: leaves each file complete, old or new, and undoes all of it once there is room', () => {
    mkdirSync(join(base, 'disk'));
    const mountAndFill =
      'mount -t tmpfs -o size=1200k,mode=700 none "$1" && exec "$2" "$3" fill "$1/state" "$1/project" run-1';
    const names = [join(base, 'disk'), process.execPath, program.file];
    const output = execFileSync('unshare', ['-rm', 'sh', '-c', mountAndFill, 'sh', ...names], { encoding: 'utf8' });
    const told = JSON.parse(output);
    expect(told).toMatchObject({ codes: ['done', 'failed'], whole: true, isBack: true });
    const reasons = Object.values(outcomesOf(told.full));
    expect(reasons).toContain('refused It could not be restored: there is no space left on the disk (ENOSPC).');
    expect(Object.values(outcomesOf(told.last)).filter((outcome) => outcome.startsWith('refused'))).toEqual([]);
  });
});

const other = ordinaryUser();

describe.runIf(isLinux && other !== null)('NodeExecutor, as an ordinary user', () => {
  it('UNDO-07: restores the files that it could read, and reports the others', () => {
    const owner = other?.id ?? 0;
    const files = { 'a.txt': 0o640, 'unreadable.txt': 0o000, 'closed/inside.txt': 0o444, 'theirs.txt': 0o600 };
    mkdirSync(project('closed'));
    mkdirSync(project('empty'), { mode: 0o710 });
    for (const [name, mode] of Object.entries(files)) {
      writeFileSync(project(name), name);
      chmodSync(project(name), mode);
    }
    for (const name of ['', 'src', 'closed', 'empty', 'a.txt', 'unreadable.txt', 'closed/inside.txt']) {
      chownSync(project(name), owner, owner);
    }
    chownSync(base, owner, owner);
    chmodSync(project('closed'), 0o555);
    const ids = ['--reuid', String(owner), '--regid', String(owner), '--clear-groups'];
    const args = [program.file, 'ravage', join(base, 'state'), project(), 'run-1'];
    const output = execFileSync('setpriv', [...ids, process.execPath, ...args], { encoding: 'utf8' });
    const { coverage, end, report } = JSON.parse(output);
    expect({ coverage, end }).toEqual({ coverage: { commands: true }, end: { type: 'exited', exitCode: 0 } });
    expect(outcomesOf(report)).toEqual({
      'a.txt': 'restored',
      closed: 'restored',
      'closed/inside.txt': 'restored',
      'theirs.txt': 'refused Its content was not kept, or the kept content is damaged.',
      'unreadable.txt': 'refused Its content was not kept, or the kept content is damaged.',
    });
    const modeOf = (name: string): number => lstatSync(project(name)).mode & 0o777;
    expect(['a.txt', 'closed', 'closed/inside.txt', 'empty'].map(modeOf)).toEqual([0o640, 0o555, 0o444, 0o710]);
    expect(readFileSync(project('a.txt'), 'utf8')).toBe('a.txt');
  });
});

/** The first words of all outcomes of repeated undos while two places are exchanged. */
async function undoWhileExchanged(pair: readonly [string, string]): Promise<ReadonlySet<string>> {
  const swapper = await PlaceSwapper.start(pair);
  const endsAt = performance.now() + swapSeconds * 1_000;
  const seen = new Set<string>();
  for (let round = 0; performance.now() < endsAt || round < 20; round += 1) {
    for (const outcome of Object.values(await undo())) {
      seen.add(outcome.split(' ', 1)[0] ?? '');
    }
  }
  await swapper.stop();
  return seen;
}

describe.runIf(isLinux)('NodeExecutor, among special files', () => {
  it('UNDO-07: waits for no pipe, and reports that it cannot restore one', async () => {
    execFileSync('mkfifo', [project('pipe'), project('kept-pipe')]);
    writeFileSync(project('a.txt'), 'a');
    const workspace = await open('full');
    await run(workspace, 'rm pipe; mkfifo new-pipe; echo changed > a.txt');
    await workspace.close();
    expect(await undo()).toEqual({
      'a.txt': 'restored',
      'new-pipe': 'removed',
      pipe: 'refused It was a pipe, a socket or a device, which cannot be restored.',
    });
    expect(lstatSync(project('kept-pipe')).isFIFO()).toBe(true);
  });

  it('UNDO-07: changes nothing outside through a hard link when it restores a file', async () => {
    writeFileSync(join(base, 'outside.txt'), 'outside');
    linkSync(join(base, 'outside.txt'), project('linked.txt'));
    const workspace = await open('edit');
    expect(await put(workspace, 'linked.txt', 'changed')).toBe(true);
    await workspace.close();
    expect(readFileSync(join(base, 'outside.txt'), 'utf8')).toBe('outside');
    writeFileSync(join(base, 'outside.txt'), 'changed outside');
    expect(await undo()).toEqual({
      'linked.txt': 'restored It had other names (hard links), which are separate files now.',
    });
    expect(readFileSync(join(base, 'outside.txt'), 'utf8')).toBe('changed outside');
    expect(readFileSync(project('linked.txt'), 'utf8')).toBe('outside');
  });

  it('neither keeps nor reports the target of a link to outside that a command creates', async () => {
    writeFileSync(join(base, 'outside.txt'), 'CANARY');
    symlinkSync(join(base, 'outside.txt'), project('to-outside'));
    const workspace = await open('full');
    await run(workspace, 'rm to-outside; ln -s /etc/passwd to-outside; ln -s ../outside.txt other');
    const { files } = await workspace.changes(noAbort);
    await workspace.close();
    expect(files.map(({ path, kind }) => `${kind} ${path}`)).toEqual(['created other', 'modified to-outside']);
    expect(JSON.stringify(files)).not.toMatch(/CANARY|root:/);
    expect(await undo()).toEqual({ other: 'removed', 'to-outside': 'restored' });
    expect(
      execFileSync('find', [join(base, 'state'), '-type', 'f', '-exec', 'cat', '{}', '+'], { encoding: 'utf8' }),
    ).not.toContain('CANARY');
  });

  it('UNDO-03: restores nothing outside while a directory is exchanged for a link', {
    timeout: 300_000,
  }, async () => {
    mkdirSync(join(base, 'outside'));
    const canaries = ['a.txt', 'made.txt'].map((name) => join(base, 'outside', name));
    for (const canary of canaries) {
      writeFileSync(canary, 'changed');
      chmodSync(canary, 0o644);
    }
    writeFileSync(project('src/a.txt'), 'a');
    symlinkSync('../outside', project('link'));
    const workspace = await open('edit');
    await put(workspace, 'src/a.txt', 'changed');
    await put(workspace, 'src/made.txt', 'changed');
    await workspace.close();
    const seen = await undoWhileExchanged([project('src'), project('link')]);
    expect(canaries.map((canary) => readFileSync(canary, 'utf8'))).toEqual(['changed', 'changed']);
    expect(execFileSync('ls', ['-A', join(base, 'outside')], { encoding: 'utf8' })).toBe('a.txt\nmade.txt\n');
    expect(seen).toContain('already-as-before');
  });
});
