import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkspaceOptions } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

afterEach(() => rm(base, { recursive: true }));

function optionsFor(fields: Partial<WorkspaceOptions> = {}): WorkspaceOptions {
  const project = join(base, 'project');
  const places = { workingDirectory: project, roots: [project] };
  return { runId: 'run-1', owner: 'alice', ...places, mode: 'edit', network: false, ...fields };
}

async function refusalOf(fields: Partial<WorkspaceOptions>): Promise<string | null> {
  const opened = await executor.open(optionsFor(fields), noAbort);
  if (opened.ok) {
    await opened.value.close();
    return null;
  }
  return opened.refusal.code;
}

describe('NodeExecutor.open', () => {
  it('works in a directory below a root, by real paths', async () => {
    await symlink(join(base, 'project'), join(base, 'link'));
    const roots = [join(base, 'link')];
    expect(await refusalOf({ roots, workingDirectory: join(base, 'project/src') })).toBeNull();
    expect(
      await refusalOf({ runId: 'run-2', roots: [join(base, 'project')], workingDirectory: roots[0] ?? '' }),
    ).toBeNull();
  });

  it('PATH: refuses a working directory that is none, or leads out of the roots', async () => {
    await symlink(join(base, 'outside'), join(base, 'project/out'));
    await mkdir(join(base, 'project/private'));
    const at = (name: string): Partial<WorkspaceOptions> => ({ workingDirectory: join(base, name) });
    expect(await refusalOf(at('project/missing'))).toBe('not-found');
    expect(await refusalOf(at('project/a.txt'))).toBe('not-found');
    expect(await refusalOf(at('outside'))).toBe('outside-roots');
    expect(await refusalOf(at('project/out'))).toBe('outside-roots');
    expect(await refusalOf(at('project/../outside'))).toBe('outside-roots');
    expect(await refusalOf(at('project/private'))).toBe('outside-roots');
    expect(await refusalOf({ workingDirectory: '.' })).toBe('invalid-arguments');
    expect(await refusalOf({ workingDirectory: '/dev', roots: ['/'] })).toBe('outside-roots');
    expect(await refusalOf({ roots: [] })).toBe('outside-roots');
  });

  it('refuses a run whose journal cannot be kept, or whose name was used', async () => {
    expect(await refusalOf({ runId: '../run' })).toBe('failed');
    expect(await refusalOf({})).toBeNull();
    expect(await refusalOf({})).toBe('failed');
    expect(await refusalOf({ mode: 'plan' })).toBeNull();
  });
});
