import { writeFileSync } from 'node:fs';
import { chmod, link, mkdir, mkdtemp, realpath, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandReport, Workspace, WorkspaceOptions } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { describeExecutorContract, executorInTemporaryDirectory } from '@gemini-mcp/port-contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../processes/system-clock.ts';
import { planOf } from './commands/testing/plan-of.ts';
import { digestTree } from './journal/testing/tree-digest.ts';
import { NodeExecutor } from './node-executor.ts';

let base: string;
let executor: NodeExecutor;

const noAbort = new AbortController().signal;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'node-executor-')));
  await mkdir(join(base, 'project/src'), { recursive: true });
  await mkdir(join(base, 'outside'));
  await writeFile(join(base, 'project/a.txt'), 'a');
  executor = new NodeExecutor({
    clock: new FakeClock(Date.now()),
    stateDirectory: join(base, 'project/state'),
    privateDirectories: [join(base, 'project/private')],
    environment: {},
    toolPaths: [],
  });
});

describeExecutorContract({
  name: 'NodeExecutor',
  ...executorInTemporaryDirectory(
    ({ stateDirectory }) =>
      new NodeExecutor({
        ...{ clock: new SystemClock(), stateDirectory, privateDirectories: [], environment: {}, toolPaths: [] },
      }),
  ),
});

afterEach(() => rm(base, { recursive: true }));

function optionsFor(fields: Partial<WorkspaceOptions> = {}): WorkspaceOptions {
  const project = join(base, 'project');
  const places = { workingDirectory: project, roots: [project] };
  return { runId: 'run-1', owner: 'alice', ...places, mode: 'edit', network: false, ...fields };
}

async function toRefusal(fields: Partial<WorkspaceOptions>): Promise<string | null> {
  const opened = await executor.open(optionsFor(fields), noAbort);
  if (opened.ok) {
    await opened.value.close();
    return null;
  }
  return opened.refusal.code;
}

/** A run that may run commands in `project/src`. */
async function openFull(): Promise<Workspace> {
  const project = join(base, 'project/src');
  const opened = await executor.open(
    optionsFor({ roots: [project], workingDirectory: project, mode: 'full' }),
    noAbort,
  );
  if (!opened.ok) {
    throw new Error(opened.refusal.message);
  }
  return opened.value;
}

async function runShell(workspace: Workspace, script: string, waitMs: number): Promise<CommandReport> {
  const plan = planOf('sh', '-c', script);
  const result = await workspace.runCommand({ plan, timeoutMs: 60_000, waitMs }, noAbort);
  if (!result.ok) {
    throw new Error(result.refusal.message);
  }
  return result.value;
}

async function poll(workspace: Workspace, handle: string | null, waitMs: number): Promise<CommandReport> {
  const result = await workspace.pollCommand({ handle: handle ?? '', waitMs, stop: false }, noAbort);
  if (!result.ok) {
    throw new Error(result.refusal.message);
  }
  return result.value;
}

async function undo(): Promise<readonly string[]> {
  const report = await executor.undo({ runId: 'run-1', owner: 'alice' }, noAbort);
  return report.found ? report.paths.map(({ path, outcome }) => `${outcome} ${path}`) : ['not found'];
}

describe.runIf(process.platform === 'linux')('NodeExecutor, with commands', () => {
  it('SHOW-1: lets undo restore the changes of a command in the sandbox, byte for byte', async () => {
    const project = join(base, 'project/src');
    await writeFile(join(project, 'a.sh'), 'echo a\n');
    await chmod(join(project, 'a.sh'), 0o755);
    await mkdir(join(project, 'deep'));
    await writeFile(join(project, 'deep/b.txt'), 'b');
    await symlink('a.sh', join(project, 'link'));
    const before = await digestTree(project);
    const workspace = await openFull();
    expect(await workspace.prepareCommands(noAbort)).toEqual({ commands: true });
    const script =
      'echo changed > a.sh && chmod 600 a.sh && rm -r deep && mkdir -p new/er && echo n > new/er/n.txt && ln -sf new link';
    const { changes, end } = await runShell(workspace, script, 60_000);
    expect(end).toEqual({ type: 'exited', exitCode: 0 });
    expect(changes.map(({ path }) => path)).toEqual(['a.sh', 'deep/b.txt', 'link', 'new/er/n.txt']);
    expect((await workspace.changes(noAbort)).files).toEqual(changes);
    await workspace.close();
    expect(await digestTree(project)).not.toBe(before);
    expect(await undo()).toEqual(['restored a.sh', 'restored deep/b.txt', 'restored link', 'removed new/er/n.txt']);
    expect(await digestTree(project)).toBe(before);
  });

  it('reports the changes of a command that outlived its first report', async () => {
    const workspace = await openFull();
    const { handle } = await runShell(workspace, 'echo one > one.txt', 0);
    const { changes } = await poll(workspace, handle, 60_000);
    expect(changes).toMatchObject([{ path: 'one.txt', kind: 'created' }]);
    await workspace.close();
    expect(await undo()).toEqual(['removed one.txt']);
  });

  it('does not report files that exist only while another command runs', async () => {
    const workspace = await openFull();
    const { handle } = await runShell(workspace, 'echo told; sleep 1000', 0);
    const { changes } = await runShell(workspace, 'echo one > one.txt', 60_000);
    expect(changes.map(({ path }) => path)).toEqual(['one.txt']);
    await workspace.pollCommand({ handle: handle ?? '', waitMs: 60_000, stop: true }, noAbort);
    await workspace.close();
    expect(await undo()).toEqual(['removed one.txt']);
  });

  it('undoes the changes of a command that the end of the run ended', async () => {
    const workspace = await openFull();
    const { handle } = await runShell(workspace, 'echo two > two.txt; echo told; sleep 1000', 0);
    for (let output = ''; !output.includes('told'); ) {
      output += (await poll(workspace, handle, 50)).output;
    }
    await workspace.close();
    expect(await undo()).toEqual(['removed two.txt']);
  });
});

describe('NodeExecutor.open', () => {
  it('works in a directory below a root, by real paths', async () => {
    await symlink(join(base, 'project'), join(base, 'link'));
    const roots = [join(base, 'link')];
    expect(await toRefusal({ roots, workingDirectory: join(base, 'project/src') })).toBeNull();
    expect(
      await toRefusal({ runId: 'run-2', roots: [join(base, 'project')], workingDirectory: roots[0] ?? '' }),
    ).toBeNull();
  });

  it('PATH: refuses a working directory that is invalid, or leads out of the roots', async () => {
    await symlink(join(base, 'outside'), join(base, 'project/out'));
    await mkdir(join(base, 'project/private'));
    const at = (name: string): Partial<WorkspaceOptions> => ({ workingDirectory: join(base, name) });
    expect(await toRefusal(at('project/missing'))).toBe('not-found');
    expect(await toRefusal(at('project/a.txt'))).toBe('invalid-arguments');
    expect(await toRefusal(at('outside'))).toBe('outside-roots');
    expect(await executor.open(optionsFor(at('outside')), noAbort)).toMatchObject({
      refusal: { hint: 'Name a directory inside them. The operator can allow more with GEMINI_MCP_ROOTS.' },
    });
    expect(await toRefusal(at('project/out'))).toBe('outside-roots');
    expect(await toRefusal(at('project/../outside'))).toBe('outside-roots');
    expect(await toRefusal(at('project/private'))).toBe('outside-roots');
    expect(await toRefusal({ workingDirectory: '.' })).toBe('invalid-arguments');
    expect(await toRefusal({ workingDirectory: '/dev', roots: ['/'] })).toBe('outside-roots');
    expect(await toRefusal({ roots: [] })).toBe('outside-roots');
  });

  it('refuses a run whose journal cannot be kept, or whose name was used', async () => {
    expect(await toRefusal({ runId: '../run' })).toBe('failed');
    expect(await toRefusal({})).toBeNull();
    expect(await toRefusal({})).toBe('failed');
    expect(await toRefusal({ mode: 'plan' })).toBeNull();
  });
});

it('SWAP-03: ignores a root that a link has replaced, wherever the root came from', async () => {
  const project = join(base, 'project');
  const pinned = new Map([[join(base, 'named'), project]]);
  const options = { stateDirectory: join(base, 'state'), privateDirectories: [], environment: {}, toolPaths: [] };
  const pinning = new NodeExecutor({ clock: new FakeClock(Date.now()), ...options, pinned });
  const codeOf = async (root: string): Promise<string | null> => {
    const given = optionsFor({ workingDirectory: root, roots: [root], mode: 'plan' });
    const opened = await pinning.open(given, noAbort);
    return opened.ok ? null : opened.refusal.code;
  };
  await symlink('project', join(base, 'named'));
  expect([await codeOf(project), await codeOf(join(base, 'named'))]).toEqual([null, null]);
  await rename(project, join(base, 'aside'));
  await symlink('outside', project);
  expect([await codeOf(project), await codeOf(join(base, 'named'))]).toEqual(['outside-roots', 'outside-roots']);
});

it('HOST-L5: reports that a file had other names when a tool changes it', async () => {
  await link(join(base, 'project/a.txt'), join(base, 'project/other.txt'));
  const opened = await executor.open(optionsFor(), noAbort);
  if (!opened.ok) {
    throw new Error(opened.refusal.message);
  }
  await opened.value.viewFile({ path: 'a.txt' }, noAbort);
  const changed = await opened.value.putFile({ path: 'a.txt', content: 'b' }, noAbort);
  await opened.value.close();
  expect(changed).toMatchObject({
    ok: true,
    value: { notes: ['The file had other names (hard links): those keep the old content.'] },
  });
});

describe.runIf(process.platform === 'linux')('NodeExecutor, if not all changes of commands are known', () => {
  it('HOST-M4: asks before a command that cannot be undone, and before each further one of that run', async () => {
    await writeFile(join(base, 'project/src/large'), '');
    await truncate(join(base, 'project/src/large'), 104_857_601);
    const workspace = await openFull();
    const request = { plan: planOf('touch', 'made'), timeoutMs: 60_000, waitMs: 60_000 };
    const [first, again] = [
      await workspace.runCommand(request, noAbort),
      await workspace.runCommand({ ...request, accepts: ['unmasked'] }, noAbort),
    ];
    const refusal = { code: 'needs-approval', risk: 'not-undoable', message: expect.stringContaining('100 MiB') };
    expect([first, again]).toMatchObject([
      { ok: false, refusal },
      { ok: false, refusal },
    ]);
    const accepted = await workspace.runCommand({ ...request, accepts: ['not-undoable'] }, noAbort);
    const { unkept } = await workspace.changes(noAbort);
    await workspace.close();
    expect(accepted).toMatchObject({ ok: true, value: { unkept: { count: 1, first: [{ path: 'made', count: 1 }] } } });
    expect(unkept).toMatchObject({ count: 1 });
  });

  it('HOST-H6: asks before a command if not all secrets can be masked', async () => {
    for (let index = 0; index < 1_100; index += 1) {
      writeFileSync(join(base, 'project/src', `${index}.pem`), 'canary');
    }
    const workspace = await openFull();
    const plan = planOf('cat', ...Array.from({ length: 1_100 }, (_, index) => `${index}.pem`));
    const asked = await workspace.runCommand({ plan, timeoutMs: 60_000, waitMs: 60_000 }, noAbort);
    await workspace.close();
    expect(asked).toMatchObject({ ok: false, refusal: { code: 'needs-approval', risk: 'unmasked' } });
  });
});
