import type { Executor, UndoReport, Workspace } from '@gemini-mcp/core';
import { describe, expect } from 'vitest';
import { doneBy, type ExecutorSubject, never, type OpenRun, textIn } from './executor-harness.ts';

const run1 = { runId: 'undo-1', owner: 'alice' };

/** The outcome of each path; null for an unknown run. A refusal must have a reason, and nothing else may have one. */
function outcomesOf(report: UndoReport): Readonly<Record<string, string>> | null {
  if (!report.found) {
    return null;
  }
  for (const { outcome, reason } of report.paths) {
    expect(reason).toMatch(outcome === 'refused' ? /\S/ : /^$/);
  }
  return Object.fromEntries(report.paths.map(({ path, outcome }) => [path, outcome]));
}

async function undo(executor: Executor, fields: { paths?: readonly string[]; owner?: string; runId?: string } = {}) {
  return outcomesOf(await executor.undo({ ...run1, ...fields }, never));
}

async function put(workspace: Workspace, path: string, content: string): Promise<void> {
  await workspace.viewFile({ path }, never);
  doneBy(await workspace.putFile({ path, content }, never));
}

/** Undo, and the report of a run's changes. */
export function describeExecutorUndo(subject: ExecutorSubject): void {
  describe('undo', () => {
    describePuttingBack(subject);
    describeRefusing(subject);
    describeOwning(subject);
    describeTelling(subject);
  });
}

/** A closed run. */
async function runOver(
  { open }: ExecutorSubject,
  tree: Readonly<Record<string, string | Uint8Array>>,
  act: (workspace: Workspace, run: OpenRun) => Promise<void>,
): Promise<OpenRun> {
  const run = await open({ tree }, run1);
  await act(run.workspace, run);
  await run.workspace.close();
  return run;
}

function describePuttingBack(subject: ExecutorSubject): void {
  const { proof, open, features } = subject;

  proof.promise('replaced content is restored byte for byte, however often it was changed', async () => {
    const content = '\u{FEFF}one\r\ntwo\n\nthree';
    const run = await runOver(subject, { 'a.txt': content }, async (workspace) => {
      await put(workspace, 'a.txt', 'first');
      const replacements = [{ oldText: 'first', newText: 'second', all: false }] as const;
      doneBy(await workspace.modifyFile({ path: 'a.txt', replacements }, never));
      await put(workspace, 'a.txt', 'third');
    });
    expect(await undo(run.executor)).toEqual({ 'a.txt': 'restored' });
    expect(await textIn(run, 'a.txt')).toBe(content);
  });

  proof.promise('created files are removed, and nothing else is', async () => {
    const run = await runOver(subject, { 'deep/theirs.txt': 't' }, async (workspace) => {
      await put(workspace, 'deep/er/ours.txt', 'o');
      await put(workspace, 'deep/ours.txt', '');
    });
    expect(await undo(run.executor)).toEqual({ 'deep/er/ours.txt': 'removed', 'deep/ours.txt': 'removed' });
    expect(await run.files.all()).toEqual(['deep/theirs.txt']);
  });

  proof.promise('a second undo finds everything as before, and changes nothing', async () => {
    const run = await runOver(subject, { 'a.txt': 'a' }, async (workspace) => {
      await put(workspace, 'a.txt', 'changed');
      await put(workspace, 'b.txt', 'made');
    });
    await undo(run.executor);
    expect(await undo(run.executor)).toEqual({ 'a.txt': 'already-as-before', 'b.txt': 'already-as-before' });
    expect(await textIn(run, 'a.txt')).toBe('a');
    expect(await run.files.all()).toEqual(['a.txt']);
  });

  proof.promise('only the named paths are undone, by the names in the list of changes', async () => {
    const run = await open({ tree: { 'sub/a': 'a', 'sub/b': 'b', c: 'c' } });
    const { workingDirectory, executor } = run;
    const workspace = await run.openRun({ ...run1, workingDirectory: `${workingDirectory}/sub` });
    for (const path of ['a', 'b', '../c']) {
      await put(workspace, path, 'changed');
    }
    const names = (await workspace.changes(never)).files.map(({ path }) => path);
    expect([...names].sort()).toEqual([`${workingDirectory}/c`, 'a', 'b']);
    await workspace.close();
    const paths = [`${workingDirectory}/c`, 'a'];
    expect(await undo(executor, { paths })).toEqual({ [`${workingDirectory}/c`]: 'restored', a: 'restored' });
    expect([await textIn(run, 'sub/a'), await textIn(run, 'sub/b'), await textIn(run, 'c')]).toEqual([
      'a',
      'changed',
      'c',
    ]);
  });

  proof.promise('a run that changed nothing has nothing to undo', async () => {
    const run = await runOver(subject, { 'a.txt': 'a' }, async (workspace) => {
      await workspace.viewFile({ path: 'a.txt' }, never);
      await workspace.putFile({ path: '../outside.txt', content: '' }, never);
    });
    expect(await undo(run.executor)).toEqual({});
  });

  proof.promise('runs are undone one after the other, the last one first', async () => {
    const run = await runOver(subject, { 'a.txt': 'a' }, (workspace) => put(workspace, 'a.txt', 'by the first'));
    const second = await run.openRun({ runId: 'undo-2', owner: 'alice' });
    await put(second, 'a.txt', 'by the second');
    await second.close();
    expect(await undo(run.executor)).toEqual({ 'a.txt': 'refused' });
    expect(await textIn(run, 'a.txt')).toBe('by the second');
    expect(await undo(run.executor, { runId: 'undo-2' })).toEqual({ 'a.txt': 'restored' });
    expect(await textIn(run, 'a.txt')).toBe('by the first');
    expect(await undo(run.executor)).toEqual({ 'a.txt': 'restored' });
    expect(await textIn(run, 'a.txt')).toBe('a');
  });

  if (features.modes) {
    proof.promise('restored files get their earlier permission bits', async () => {
      const run = await open({ tree: { 'a.sh': 'a' } }, run1);
      await run.files.setMode('a.sh', 0o751);
      await put(run.workspace, 'a.sh', 'changed');
      await run.workspace.close();
      expect(await undo(run.executor)).toEqual({ 'a.sh': 'restored' });
      expect(await run.files.mode('a.sh')).toBe(0o751);
    });

    proof.promise('a file whose permission bits were changed since is not touched', async () => {
      const run = await runOver(subject, { 'a.sh': 'a' }, (workspace) => put(workspace, 'a.sh', 'changed'));
      await run.files.setMode('a.sh', 0o700);
      expect(await undo(run.executor)).toEqual({ 'a.sh': 'refused' });
      expect([await textIn(run, 'a.sh'), await run.files.mode('a.sh')]).toEqual(['changed', 0o700]);
    });
  }
}

function describeRefusing(subject: ExecutorSubject): void {
  const { proof } = subject;
  const tree = { 'a.txt': 'a', 'b.txt': 'b' };
  const changeBoth = async (workspace: Workspace): Promise<void> => {
    await put(workspace, 'a.txt', 'changed');
    await put(workspace, 'b.txt', 'changed');
    await put(workspace, 'made.txt', 'made');
  };

  proof.promise('a file that was changed since is not touched, and the rest is undone', async () => {
    const run = await runOver(subject, tree, changeBoth);
    await run.files.write('a.txt', 'theirs');
    await run.files.write('made.txt', 'theirs as well');
    expect(await undo(run.executor)).toEqual({ 'a.txt': 'refused', 'b.txt': 'restored', 'made.txt': 'refused' });
    expect([await textIn(run, 'a.txt'), await textIn(run, 'b.txt')]).toEqual(['theirs', 'b']);
    expect(await textIn(run, 'made.txt')).toBe('theirs as well');
  });

  proof.promise('a file that was removed since is not created again', async () => {
    const run = await runOver(subject, tree, changeBoth);
    await run.files.remove('a.txt');
    await run.files.remove('made.txt');
    const done = { 'a.txt': 'refused', 'b.txt': 'restored', 'made.txt': 'already-as-before' };
    expect(await undo(run.executor)).toEqual(done);
    expect(await run.files.all()).toEqual(['b.txt']);
  });

  proof.promise('a file that was renamed since keeps its new name and content', async () => {
    const run = await runOver(subject, tree, changeBoth);
    await run.files.remove('a.txt');
    await run.files.write('renamed.txt', 'changed');
    await undo(run.executor);
    expect([...(await run.files.all())].sort()).toEqual(['b.txt', 'renamed.txt']);
    expect(await textIn(run, 'renamed.txt')).toBe('changed');
  });

  proof.promise('a file that the user restored is reported as before', async () => {
    const run = await runOver(subject, tree, changeBoth);
    await run.files.write('a.txt', 'a');
    expect(await undo(run.executor)).toMatchObject({ 'a.txt': 'already-as-before', 'b.txt': 'restored' });
    expect(await textIn(run, 'a.txt')).toBe('a');
  });

  proof.promise('a file that someone else changed between two changes of the run is not touched', async () => {
    const run = await runOver(subject, tree, async (workspace, { files }) => {
      await put(workspace, 'a.txt', 'first');
      await files.write('a.txt', 'theirs');
      await put(workspace, 'a.txt', 'last');
    });
    expect(await undo(run.executor)).toEqual({ 'a.txt': 'refused' });
    expect(await textIn(run, 'a.txt')).toBe('last');
  });

  proof.promise('a path that the run did not change is refused', async () => {
    const run = await runOver(subject, tree, (workspace) => put(workspace, 'a.txt', 'changed'));
    const paths = ['b.txt', 'none.txt', '../a.txt', ''];
    expect(await undo(run.executor, { paths })).toEqual(Object.fromEntries(paths.map((path) => [path, 'refused'])));
    expect([await textIn(run, 'a.txt'), await textIn(run, 'b.txt')]).toEqual(['changed', 'b']);
  });

  proof.promise('nothing is undone during the run', async () => {
    const run = await subject.open({ tree }, run1);
    await changeBoth(run.workspace);
    expect(await undo(run.executor)).toEqual({ 'a.txt': 'refused', 'b.txt': 'refused', 'made.txt': 'refused' });
    expect([await textIn(run, 'a.txt'), await textIn(run, 'made.txt')]).toEqual(['changed', 'made']);
    await run.workspace.close();
    expect(await undo(run.executor)).toMatchObject({ 'a.txt': 'restored', 'made.txt': 'removed' });
  });

  proof.promise('after an abort nothing is undone, and the report says so', async () => {
    const run = await runOver(subject, tree, changeBoth);
    const report = await run.executor.undo(run1, AbortSignal.abort(new Error('stop')));
    expect(outcomesOf(report)).toEqual({ 'a.txt': 'refused', 'b.txt': 'refused', 'made.txt': 'refused' });
    expect([await textIn(run, 'a.txt'), await textIn(run, 'made.txt')]).toEqual(['changed', 'made']);
  });
}

function describeOwning(subject: ExecutorSubject): void {
  const { proof } = subject;

  proof.promise('the run of another owner, or an unknown run, is not found', async () => {
    const run = await runOver(subject, { 'a.txt': 'a' }, (workspace) => put(workspace, 'a.txt', 'changed'));
    for (const fields of [
      { owner: 'bob' },
      { owner: '' },
      { runId: 'undo-0' },
      { runId: '' },
      { runId: '../undo-1' },
    ]) {
      expect(await run.executor.undo({ ...run1, ...fields }, never)).toEqual({ found: false });
    }
    expect(await textIn(run, 'a.txt')).toBe('changed');
  });
}

function describeTelling(subject: ExecutorSubject): void {
  const { proof, open } = subject;

  proof.promise('the changes of a run compare its start with now, one entry per path, sorted', async () => {
    const run = await open({ tree: { 'b.txt': 'one\ntwo\n', 'a.txt': 'a\n', 'same.txt': 's\n' } }, run1);
    await put(run.workspace, 'made.txt', 'made\n');
    await put(run.workspace, 'b.txt', 'one\n2\n');
    await put(run.workspace, 'b.txt', 'one\n2\nthree\n');
    await put(run.workspace, 'a.txt', '');
    await put(run.workspace, 'same.txt', 'other\n');
    await put(run.workspace, 'same.txt', 's\n');
    const { files, coverage } = await run.workspace.changes(never);
    expect(files).toEqual([
      { path: 'a.txt', kind: 'modified', addedLines: 0, removedLines: 1, diff: expect.stringContaining('\n-a\n') },
      {
        path: 'b.txt',
        kind: 'modified',
        addedLines: 2,
        removedLines: 1,
        diff: '--- a/b.txt\n+++ b/b.txt\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+three\n',
      },
      {
        path: 'made.txt',
        kind: 'created',
        addedLines: 1,
        removedLines: 0,
        diff: '--- /dev/null\n+++ b/made.txt\n@@ -0,0 +1 @@\n+made\n',
      },
    ]);
    expect(coverage).toMatchObject({ commands: expect.any(Boolean) });
  });

  proof.promise('a run without changes reports no change', async () => {
    const { workspace } = await open({ tree: { 'a.txt': 'a' } }, run1);
    await workspace.viewFile({ path: 'a.txt' }, never);
    expect((await workspace.changes(never)).files).toEqual([]);
  });
}
