import type { StepResult, Workspace, WorkspaceOptions } from '@gemini-mcp/core';
import { describe, expect } from 'vitest';
import { type ExecutorSubject, never, type OpenRun, refusalBy, textIn } from './executor-harness.ts';

const secret = 'what lies outside';
const outside = { 'secret.txt': secret, 'project2/secret.txt': secret, 'project.txt': secret };

/** Each file step, on a path. */
function stepsOn(workspace: Workspace, path: string, signal: AbortSignal): readonly Promise<StepResult<unknown>>[] {
  const replacements = [{ oldText: 'o', newText: 'x', all: true }] as const;
  const search = { text: 'o', isPattern: false, ignoresCase: false, filePattern: null };
  return [
    workspace.viewFile({ path }, signal),
    workspace.lookAt(path, signal),
    workspace.listFiles({ path, pattern: null }, signal),
    workspace.listFiles({ path, pattern: '**' }, signal),
    workspace.searchFiles({ path, ...search }, signal),
    workspace.putFile({ path, content: 'ours' }, signal),
    workspace.modifyFile({ path, replacements }, signal),
  ];
}

async function codesOn(workspace: Workspace, path: string, signal = never): Promise<readonly string[]> {
  const results = await Promise.all(stepsOn(workspace, path, signal));
  return results.map((result) => refusalBy(result).code);
}

/** What a run can reach, and when. */
export function describeRunBounds(subject: ExecutorSubject): void {
  describe('bounds', () => {
    describeRoots(subject);
    describeModes(subject);
    describeEnds(subject);
    describeOpening(subject);
  });
}

function allOf(code: string): readonly string[] {
  return Array.from({ length: 7 }, () => code);
}

async function expectUntouched({ files }: OpenRun): Promise<void> {
  for (const [path, content] of Object.entries(outside)) {
    expect(await textIn({ files }, `../${path}`)).toBe(content);
  }
}

function describeRoots({ proof, open, features }: ExecutorSubject): void {
  proof.promise('nothing outside the roots is read, listed or changed, however it is named', async () => {
    const run = await open({ tree: { 'src/a.txt': 'o' }, outside });
    const { workingDirectory } = run;
    for (const path of ['../secret.txt', 'src/../../secret.txt', `${workingDirectory}2/secret.txt`, '../project.txt']) {
      expect(await codesOn(run.workspace, path)).toEqual(allOf('outside-roots'));
    }
    expect(await codesOn(run.workspace, '..')).toEqual(allOf('outside-roots'));
    expect(await codesOn(run.workspace, '../new.txt')).toEqual(allOf('outside-roots'));
    await expectUntouched(run);
    expect(await run.files.all()).toHaveLength(4);
  });

  if (features.links) {
    proof.promise('no link leads outside', async () => {
      const links = { 'to-file': '../secret.txt', 'to-directory': '../project2', 'to-nothing': '../new.txt' };
      const run = await open({ tree: { a: 'o' }, outside, links });
      for (const path of ['to-file', 'to-directory', 'to-directory/secret.txt']) {
        expect(await codesOn(run.workspace, path)).toEqual(allOf('outside-roots'));
      }
      for (const path of ['to-directory/new', 'to-nothing', 'to-nothing/new']) {
        expect(await codesOn(run.workspace, path)).toHaveLength(7);
      }
      await expectUntouched(run);
      // Node 24 also lists the entries below a link's target; Node 20 does not.
      const paths = (await run.files.all()).filter((path) => !path.includes('to-directory/'));
      expect(paths).toHaveLength(7);
    });

    proof.promise('a search and a listing with a pattern skip links that lead outside', async () => {
      const links = { 'to-file': '../secret.txt', 'to-directory': '../project2' };
      const { workspace } = await open({ tree: { a: 'lies' }, outside, links });
      const search = { path: '.', text: 'lies', isPattern: false, ignoresCase: false, filePattern: null };
      const found = await workspace.searchFiles(search, never);
      expect(found).toMatchObject({ ok: true, value: { lines: [{ path: 'a', line: 1 }] } });
      const listed = await workspace.listFiles({ path: '.', pattern: '**/*.txt' }, never);
      expect(listed).toMatchObject({ ok: true, value: { files: [] } });
    });
  }
}

function describeModes({ proof, open }: ExecutorSubject): void {
  proof.promise('a run in the mode plan reads but changes nothing, whatever its consent', async () => {
    const run = await open({ tree: { a: 'one', 'package.json': '{}' } }, { mode: 'plan' });
    expect(await run.workspace.viewFile({ path: 'a' }, never)).toMatchObject({ ok: true });
    const consent = { path: 'new.txt', beforeHash: null };
    const replacements = [{ oldText: 'one', newText: 'two', all: false }] as const;
    const results = [
      await run.workspace.putFile({ path: 'new.txt', content: '', consent }, never),
      await run.workspace.putFile({ path: 'a', content: 'two' }, never),
      await run.workspace.modifyFile({ path: 'a', replacements }, never),
      await run.workspace.putFile({ path: 'package.json', content: '[]' }, never),
    ];
    expect(results.map((result) => refusalBy(result).code)).toEqual(Array.from({ length: 4 }, () => 'protected'));
    expect([...(await run.files.all())].sort()).toEqual(['a', 'package.json']);
    expect(await textIn(run, 'a')).toBe('one');
  });
}

function describeEnds({ proof, open }: ExecutorSubject): void {
  proof.promise('after an abort every step is refused as cancelled, and changes nothing', async () => {
    const run = await open({ tree: { a: 'one' } });
    const controller = new AbortController();
    await run.workspace.viewFile({ path: 'a' }, never);
    controller.abort(new Error('stop'));
    expect(await codesOn(run.workspace, 'a', controller.signal)).toEqual(allOf('cancelled'));
    expect(await textIn(run, 'a')).toBe('one');
  });

  proof.promise('a closed workspace does nothing more', async () => {
    const run = await open({ tree: { a: 'one' } });
    await run.workspace.viewFile({ path: 'a' }, never);
    await run.workspace.close();
    expect(await codesOn(run.workspace, 'a')).toEqual(allOf('cancelled'));
    expect(await textIn(run, 'a')).toBe('one');
    await run.workspace.close();
  });

  proof.promise('no name makes a step reject', async () => {
    const { workspace } = await open({ tree: { a: 'one' } });
    for (const path of ['', 'a\0b', 'x'.repeat(5_000), 'a/'.repeat(3_000), '\u202e', '\ud800', 'none\n/b']) {
      const results = await Promise.all(stepsOn(workspace, path, never));
      expect(results.map(({ ok }) => typeof ok)).toEqual(allOf('boolean'));
    }
  });
}

function describeOpening({ proof, open }: ExecutorSubject): void {
  proof.promise('a working directory that is missing, a file or outside the roots is refused', async () => {
    const { executor, workingDirectory } = await open({ tree: { 'a.txt': 'a' }, outside });
    const usual = { owner: 'owner', mode: 'edit', network: false, roots: [workingDirectory] } as const;
    const codeOf = async (runId: string, fields: Partial<WorkspaceOptions>): Promise<string> => {
      const opened = await executor.open({ runId, workingDirectory, ...usual, ...fields }, never);
      return refusalBy(opened).code;
    };
    expect(await codeOf('none', { workingDirectory: `${workingDirectory}/none` })).toBe('not-found');
    expect(await codeOf('file', { workingDirectory: `${workingDirectory}/a.txt` })).toMatch(/^(?:not-found|invalid)/);
    expect(await codeOf('outside', { workingDirectory: `${workingDirectory}2` })).toBe('outside-roots');
    expect(await codeOf('above', { workingDirectory: `${workingDirectory}/..` })).toBe('outside-roots');
  });

  proof.promise('paths below the working directory are relative to it, and others below a root absolute', async () => {
    const run = await open({ tree: { 'sub/a': 'one', b: 'two' } });
    const { workingDirectory } = run;
    const workspace = await run.openRun({ workingDirectory: `${workingDirectory}/sub` });
    expect(await workspace.viewFile({ path: 'a' }, never)).toMatchObject({ value: { path: 'a', text: 'one' } });
    const above = await workspace.viewFile({ path: '../b' }, never);
    expect(above).toMatchObject({ value: { path: `${workingDirectory}/b`, text: 'two' } });
  });
}
