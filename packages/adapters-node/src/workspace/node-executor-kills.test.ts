import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { UndoReport } from '@gemini-mcp/core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Quarantined } from '../disk/durable/quarantine.ts';
import { createTag } from '../disk/durable/record-names.ts';
import { SystemClock } from '../processes/system-clock.ts';
import { digestTree, listTree } from './journal/testing/tree-digest.ts';
import { NodeExecutor } from './node-executor.ts';
import { type BuiltProgram, buildProgram } from './testing/build-program.ts';

/** The number of processes that an ordinary run kills in each test. Fifty are the full proof. */
const kills = Number(process.env['GEMINI_MCP_EXECUTOR_KILLS'] ?? 3);

const modes = `
  async write() {
    const workspace = await open('edit');
    for (let round = 1; ; round += 1) {
      for (let file = 0; file < 8; file += 1) {
        const path = file < 6 ? 'file-' + file + '.txt' : 'made-' + file + '/er/file-' + round % 3 + '.txt';
        await viewWhole(workspace, path);
        const content = (runId + ' ' + round + '\\n').repeat(2_000);
        const result = await workspace.putFile({ path, content }, signal);
        tell(result.ok ? path : 'refused ' + result.refusal.message);
      }
    }
  },

  async command() {
    const workspace = await open('full');
    await viewWhole(workspace, 'file-0.txt');
    await workspace.putFile({ path: 'file-0.txt', content: 'by a tool' }, signal);
    await workspace.prepareCommands(signal);
    const plan = planOf('sh', '-c', 'echo c > file-1.txt; echo told; while :; do echo x >> made.txt; done');
    const begun = await workspace.runCommand({ plan, timeoutMs: 60_000, waitMs: 0 }, signal);
    for (let { handle, output } = begun.value; !output.includes('told'); ) {
      output += (await workspace.pollCommand({ handle, waitMs: 50, stop: false }, signal)).value.output;
    }
    tell('running');
  },

  async undo() {
    tell('begin');
    const report = await executor.undo({ runId, owner: 'alice' }, signal);
    tell(JSON.stringify(report.paths.map(({ outcome }) => outcome)));
  },
`;

const noAbort = new AbortController().signal;
let program: BuiltProgram;
let base: string;
let quarantined: Quarantined[];
const running = new Set<ChildProcess>();

beforeAll(async () => {
  program = await buildProgram(modes);
});

afterAll(() => program.remove());

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'executor-kills-')));
  quarantined = [];
  await mkdir(project());
  for (let file = 0; file < 6; file += 1) {
    await writeFile(project(`file-${file}.txt`), original(file), { mode: file % 2 === 0 ? 0o644 : 0o755 });
  }
  await symlink('file-0.txt', project('link'));
});

afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
  }
  await rm(base, { recursive: true });
});

function project(name = ''): string {
  return join(base, 'project', name);
}

function original(file: number): string {
  return `original ${file}\r\n`.repeat(3_000 * file);
}

/** Starts the program, and kills it a moment after it has printed this many lines. Resolves to the lines. */
async function killAfter(mode: string, runId: string, lines: number): Promise<readonly string[]> {
  const args = [program.file, mode, join(base, 'state'), project(), runId];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  const closed = once(child, 'close');
  const told: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    told.push(line);
    if (told.length === lines) {
      // In the middle of the next step: at another point each time.
      for (let turns = 0; turns < (lines * 97) % 2_000; turns += 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      child.kill('SIGKILL');
    }
  }
  await closed;
  running.delete(child);
  return told;
}

async function undo(runId: string): Promise<UndoReport> {
  const executor = new NodeExecutor({
    ...{ clock: new SystemClock(), stateDirectory: join(base, 'state'), privateDirectories: [] },
    ...{ environment: {}, toolPaths: [], onQuarantine: (one) => quarantined.push(one) },
  });
  return executor.undo({ runId, owner: 'alice' }, noAbort);
}

function refusals(report: UndoReport): readonly string[] {
  return report.found
    ? report.paths.filter(({ outcome }) => outcome === 'refused').map(({ path, reason }) => `${path}: ${reason}`)
    : ['not found'];
}

/** Each file has its former content or that of one complete write. */
async function expectWholeFiles(runId: string): Promise<void> {
  const names = await readdir(project(), { recursive: true, withFileTypes: true });
  for (const entry of names.filter((one) => one.isFile() && !one.name.startsWith('.gemini-mcp-'))) {
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8');
    const [line = ''] = text.split('\n');
    const isWritten = line.startsWith(`${runId} `) && text === `${line}\n`.repeat(2_000);
    expect(isWritten || text === original(Number(/\d/.exec(entry.name)?.[0]))).toBe(true);
  }
}

describe.runIf(process.platform === 'linux')('NodeExecutor, killed', () => {
  it('UNDO-06: leaves files complete, old or new, and a journal that can undo everything', async () => {
    const before = await listTree(project());
    for (let round = 1; round <= kills; round += 1) {
      const runId = `run-${round}`;
      const told = await killAfter('write', runId, 1 + ((round * 13) % 60));
      expect(told.filter((line) => line.startsWith('refused'))).toEqual([]);
      await expectWholeFiles(runId);
      expect(refusals(await undo(runId))).toEqual([]);
      expect(await listTree(project())).toEqual(before);
    }
    expect(quarantined).toEqual([]);
  });

  it('UNDO-06: finishes a killed undo when it is requested again', async () => {
    const before = await digestTree(project());
    for (let round = 1; round <= kills; round += 1) {
      const runId = `run-${round}`;
      await killAfter('write', runId, 24 + round);
      await killAfter('undo', runId, 1);
      await expectWholeFiles(runId);
      expect(refusals(await undo(runId))).toEqual([]);
      expect(await digestTree(project())).toBe(before);
    }
    expect(quarantined).toEqual([]);
  });

  it('UNDO-06: reports that the changes of an interrupted command are unknown, and undoes the rest', async () => {
    expect(await killAfter('command', 'run-1', 1)).toEqual(['running']);
    const [left, ofTheLiving] = [`.gemini-mcp-1-1-${'0'.repeat(16)}.tmp`, `.gemini-mcp-${createTag()}.tmp`];
    await mkdir(project('deep'));
    for (const name of [left, ofTheLiving, `deep/${left}`]) {
      await writeFile(project(name), 'a draft');
    }
    const [first, ...others] = refusals(await undo('run-1'));
    expect(first).toMatch(/^\.: The server ended in the middle of a command/);
    expect(others).toEqual([]);
    const names = await readdir(project(), { recursive: true });
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([ofTheLiving]);
    expect(await readFile(project('file-0.txt'), 'utf8')).toBe(original(0));
    expect(await readFile(project('file-1.txt'), 'utf8')).toBe('c\n');
  });
});
