import type { ChangedFile, PutFileRequest, Workspace } from '@gemini-mcp/core';
import { describe, expect } from 'vitest';
import { doneBy, type ExecutorSubject, never, refusalBy, textIn } from './executor-harness.ts';

async function put(workspace: Workspace, path: string, content: string): Promise<ChangedFile> {
  return doneBy(await workspace.putFile({ path, content }, never));
}

async function codeOf(workspace: Workspace, request: PutFileRequest): Promise<string> {
  return refusalBy(await workspace.putFile(request, never)).code;
}

/** Creating files, and replacing whole files. */
export function describePutting(subject: ExecutorSubject): void {
  describe('putting', () => {
    describeCreating(subject);
    describeReplacing(subject);
  });
}

function describeCreating({ proof, open }: ExecutorSubject): void {
  proof.promise('a file is created with its parent directories, and nothing else is', async () => {
    const run = await open({ tree: { 'a.txt': 'a' } });
    const change = await put(run.workspace, 'new/dir/b.txt', 'one\ntwo\n');
    expect(change).toEqual({
      path: 'new/dir/b.txt',
      kind: 'created',
      diff: '--- /dev/null\n+++ b/new/dir/b.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n',
      addedLines: 2,
      removedLines: 0,
      hash: 'c3f9c8c283a2b1f2f1896f27a01cbe3cddc0c9d93f752e4639035a0f5b36f6e8',
      sizeBytes: 8,
      notes: [],
    });
    expect(await textIn(run, 'new/dir/b.txt')).toBe('one\ntwo\n');
    expect([...(await run.files.all())].sort()).toEqual(['a.txt', 'new/dir/b.txt']);
  });

  proof.promise('content is written as given: line ends, marks, no last line end, nothing at all', async () => {
    const run = await open({});
    const contents = ['', 'no end', 'a\r\nb\r\n', '\uFEFFmark', 'é 漢 😀', '$& $1 \\n', 'a\u0000b'];
    for (const [index, content] of contents.entries()) {
      await put(run.workspace, `f${index}`, content);
      expect(await textIn(run, `f${index}`)).toBe(content);
    }
  });

  proof.promise('a file cannot replace a directory, nor be inside a file', async () => {
    const run = await open({ tree: { 'dir/a.txt': 'a' } });
    expect(await codeOf(run.workspace, { path: 'dir', content: 'x' })).toBe('invalid-arguments');
    expect(await codeOf(run.workspace, { path: 'dir/a.txt/b', content: 'x' })).toBe('invalid-arguments');
    expect(await run.files.all()).toEqual(['dir/a.txt']);
  });

  proof.promise('content over 2 MiB is refused', async () => {
    const run = await open({});
    expect(await codeOf(run.workspace, { path: 'a', content: 'x'.repeat(2_097_153) })).toBe('too-large');
    expect(await codeOf(run.workspace, { path: 'a', content: 'é'.repeat(1_048_577) })).toBe('too-large');
    expect(await run.files.all()).toEqual([]);
  });
}

function describeReplacing({ proof, open, features }: ExecutorSubject): void {
  proof.promise('a viewed file is replaced whole', async () => {
    const run = await open({ tree: { 'a.txt': 'one\ntwo\n' } });
    await run.workspace.viewFile({ path: 'a.txt' }, never);
    const change = await put(run.workspace, 'a.txt', 'one\nthree');
    expect(change).toMatchObject({ kind: 'modified', addedLines: 1, removedLines: 1, sizeBytes: 9 });
    expect(change.diff).toBe(
      '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n\\ No newline at end of file\n',
    );
    expect(await textIn(run, 'a.txt')).toBe('one\nthree');
    expect(await run.files.all()).toEqual(['a.txt']);
  });

  proof.promise('a file that the run has put or modified need not be viewed again', async () => {
    const run = await open({});
    await put(run.workspace, 'a.txt', 'one');
    await put(run.workspace, 'a.txt', 'two');
    await run.workspace.modifyFile(
      { path: 'a.txt', replacements: [{ oldText: 'two', newText: 'three', all: false }] },
      never,
    );
    await put(run.workspace, 'a.txt', 'four');
    expect(await textIn(run, 'a.txt')).toBe('four');
  });

  proof.promise('a file that the run has not seen is not replaced', async () => {
    const run = await open({ tree: { 'a.txt': 'theirs' } });
    expect(await codeOf(run.workspace, { path: 'a.txt', content: 'ours' })).toBe('changed-since-read');
    expect(await textIn(run, 'a.txt')).toBe('theirs');
  });

  proof.promise(
    // HOST-M6
    'a partly viewed file is not replaced until the rest was viewed too',
    async () => {
      const run = await open({ tree: { 'a.txt': 'x\n'.repeat(200), 'long.txt': 'x'.repeat(100_000) } });
      const request = { path: 'a.txt', content: 'ours' };
      await run.workspace.viewFile({ path: 'a.txt', firstLine: 1, lastLine: 10 }, never);
      expect(await codeOf(run.workspace, request)).toBe('changed-since-read');
      await run.workspace.viewFile({ path: 'a.txt', firstLine: 12 }, never);
      expect(refusalBy(await run.workspace.putFile(request, never)).hint).toContain('from line 11 on');
      expect(await textIn(run, 'a.txt')).toBe('x\n'.repeat(200));
      await run.workspace.viewFile({ path: 'a.txt', firstLine: 11, lastLine: 11 }, never);
      await put(run.workspace, 'a.txt', 'ours');
      await run.workspace.viewFile({ path: 'long.txt' }, never);
      expect(await codeOf(run.workspace, { path: 'long.txt', content: 'ours' })).toBe('changed-since-read');
    },
  );

  proof.promise('a file that was changed in part is not replaced until it was viewed whole', async () => {
    const run = await open({ tree: { 'a.txt': 'one\ntwo\nthree\n' } });
    const replacements = [{ oldText: 'one', newText: 'four', all: false }] as const;
    doneBy(await run.workspace.modifyFile({ path: 'a.txt', replacements }, never));
    expect(await codeOf(run.workspace, { path: 'a.txt', content: 'ours' })).toBe('changed-since-read');
  });

  proof.promise('content with a line that replaces other lines is not written', async () => {
    const run = await open({ tree: { 'a.txt': 'a\n// ... existing code ...\n' } });
    await run.workspace.viewFile({ path: 'a.txt' }, never);
    const content = 'b\n// ... existing code ...\n';
    expect(await codeOf(run.workspace, { path: 'b.txt', content })).toBe('invalid-arguments');
    await put(run.workspace, 'a.txt', content);
    expect(await textIn(run, 'a.txt')).toBe(content);
  });

  proof.promise('one run does not know the files that another has seen', async () => {
    const run = await open({ tree: { 'a.txt': 'theirs' } });
    await run.workspace.viewFile({ path: 'a.txt' }, never);
    const other = await run.openRun();
    expect(await codeOf(other, { path: 'a.txt', content: 'ours' })).toBe('changed-since-read');
  });

  proof.promise('a file that was changed since it was viewed is not replaced until it is viewed again', async () => {
    const run = await open({ tree: { 'a.txt': 'one' } });
    await run.workspace.viewFile({ path: 'a.txt' }, never);
    await run.files.write('a.txt', 'two');
    expect(await codeOf(run.workspace, { path: 'a.txt', content: 'ours' })).toBe('changed-since-read');
    expect(await textIn(run, 'a.txt')).toBe('two');
    await run.workspace.viewFile({ path: 'a.txt', firstLine: 1, lastLine: 1 }, never);
    await put(run.workspace, 'a.txt', 'ours');
    expect(await textIn(run, 'a.txt')).toBe('ours');
  });

  proof.promise(
    'a file that was removed since it was viewed is not created again until the run has noticed',
    async () => {
      const run = await open({ tree: { 'a.txt': 'one', b: '' } });
      await run.workspace.viewFile({ path: 'a.txt' }, never);
      await run.files.remove('a.txt');
      expect(await codeOf(run.workspace, { path: 'a.txt', content: 'ours' })).toBe('changed-since-read');
      expect(await textIn(run, 'a.txt')).toBe(null);
      expect(refusalBy(await run.workspace.viewFile({ path: 'a.txt' }, never)).code).toBe('not-found');
      expect((await put(run.workspace, 'a.txt', 'ours')).kind).toBe('created');
    },
  );

  if (features.modes) {
    proof.promise('permission bits stay the same', async () => {
      const run = await open({ tree: { 'run.sh': 'one', 'shut.txt': 'one' } });
      await run.files.setMode('run.sh', 0o755);
      await run.files.setMode('shut.txt', 0o600);
      for (const path of ['run.sh', 'shut.txt']) {
        await run.workspace.viewFile({ path }, never);
        await put(run.workspace, path, 'two');
      }
      expect([await run.files.mode('run.sh'), await run.files.mode('shut.txt')]).toEqual([0o755, 0o600]);
    });
  }
}
