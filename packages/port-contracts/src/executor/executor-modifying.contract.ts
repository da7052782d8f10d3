import type { ChangedFile, ModifyFileRequest, StepResult, Workspace } from '@gemini-mcp/core';
import { describe, expect } from 'vitest';
import { doneBy, type ExecutorSubject, never, refusalBy, textIn } from './executor-harness.ts';

type Edit = readonly [oldText: string, newText: string, all?: 'all'];

function modify(
  workspace: Workspace,
  path: string,
  ...edits: readonly [Edit, ...Edit[]]
): Promise<StepResult<ChangedFile>> {
  const asReplacement = ([oldText, newText, all]: Edit): ModifyFileRequest['replacements'][0] => ({
    oldText,
    newText,
    all: all === 'all',
  });
  const [first, ...others] = edits;
  return workspace.modifyFile({ path, replacements: [asReplacement(first), ...others.map(asReplacement)] }, never);
}

/** Replacing parts of files. */
export function describeModifying(subject: ExecutorSubject): void {
  describe('modifying', () => {
    describeReplacements(subject);
    describeWhatStays(subject);
    describeMisses(subject);
  });
}

function describeReplacements({ proof, open }: ExecutorSubject): void {
  proof.promise('replacements are made in order, and the change is returned as a diff', async () => {
    const run = await open({ tree: { 'src/a.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n' } });
    const change = doneBy(await modify(run.workspace, 'src/a.txt', ['5\n', 'five\n'], ['five', 'FIVE']));
    expect(change).toMatchObject({
      path: 'src/a.txt',
      kind: 'modified',
      diff: '--- a/src/a.txt\n+++ b/src/a.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+FIVE\n 6\n 7\n 8\n',
      addedLines: 1,
      removedLines: 1,
      sizeBytes: 21,
      notes: [],
    });
    expect(await textIn(run, 'src/a.txt')).toBe('1\n2\n3\n4\nFIVE\n6\n7\n8\n9\n');
    expect(await run.files.all()).toEqual(['src/a.txt']);
  });

  proof.promise('replacements are all made or all refused', async () => {
    const run = await open({ tree: { a: 'one two' } });
    const refusal = refusalBy(await modify(run.workspace, 'a', ['one', 'ONE'], ['three', 'THREE']));
    expect(refusal.code).toBe('no-match');
    expect(await textIn(run, 'a')).toBe('one two');
  });

  proof.promise('every occurrence is replaced if requested; otherwise there may be only one', async () => {
    const run = await open({ tree: { a: 'x x x' } });
    expect(refusalBy(await modify(run.workspace, 'a', ['x', 'y'])).code).toBe('many-matches');
    expect(await textIn(run, 'a')).toBe('x x x');
    doneBy(await modify(run.workspace, 'a', ['x', 'y', 'all']));
    expect(await textIn(run, 'a')).toBe('y y y');
  });

  proof.promise('both texts are taken literally', async () => {
    const run = await open({ tree: { a: 'a.c abc' } });
    doneBy(await modify(run.workspace, 'a', ['a.c', "$& $1 $$ $` $' \\n"]));
    expect(await textIn(run, 'a')).toBe("$& $1 $$ $` $' \\n abc");
  });

  proof.promise('white space at line ends may differ if one place fits, and the result says so', async () => {
    const run = await open({ tree: { a: 'if (x) {\n\tgo();\n}\n' } });
    const change = doneBy(await modify(run.workspace, 'a', ['  go();', '  stop();']));
    expect(await textIn(run, 'a')).toBe('if (x) {\n\tstop();\n}\n');
    expect(change.notes.join(' ')).toMatch(/white space/);
  });
}

function describeWhatStays({ proof, open, features }: ExecutorSubject): void {
  proof.promise('a file with \\r\\n is found by \\n, and keeps its line ends', async () => {
    const run = await open({ tree: { a: 'one\r\ntwo\r\nthree\r\n' } });
    doneBy(await modify(run.workspace, 'a', ['one\ntwo', 'one\n1.5\ntwo']));
    expect(await textIn(run, 'a')).toBe('one\r\n1.5\r\ntwo\r\nthree\r\n');
  });

  proof.promise('a byte order mark and a missing last line end stay', async () => {
    const run = await open({ tree: { a: '\uFEFFone\ntwo' } });
    doneBy(await modify(run.workspace, 'a', ['one\ntwo\n', 'one\n2\n']));
    expect(await textIn(run, 'a')).toBe('\uFEFFone\n2');
  });

  if (features.modes) {
    proof.promise('permission bits stay', async () => {
      const run = await open({ tree: { 'run.sh': 'one' } });
      await run.files.setMode('run.sh', 0o750);
      doneBy(await modify(run.workspace, 'run.sh', ['one', 'two']));
      expect(await run.files.mode('run.sh')).toBe(0o750);
    });
  }

  if (features.links) {
    proof.promise('a change through a link changes the target, and the link stays', async () => {
      const run = await open({ tree: { 'real/a': 'one' }, links: { link: 'real/a' } });
      expect(doneBy(await modify(run.workspace, 'link', ['one', 'two'])).path).toBe('real/a');
      expect(await textIn(run, 'real/a')).toBe('two');
      const { files } = doneBy(await run.workspace.listFiles({ path: '.', pattern: null }, never));
      expect(files).toContainEqual({ path: 'link', kind: 'link', sizeBytes: 0 });
    });
  }
}

function describeMisses({ proof, open }: ExecutorSubject): void {
  proof.promise('a missing text is refused with the most similar lines', async () => {
    const run = await open({ tree: { a: 'one\ntwo\nconst value = compute(1);\n' } });
    const refusal = refusalBy(await modify(run.workspace, 'a', ['const value = compute(2);', 'x']));
    expect(refusal).toMatchObject({ code: 'no-match', hint: expect.stringMatching(/line 3\b.*compute\(1\)/) });
  });

  proof.promise('empty and unchanged replacements are refused', async () => {
    const run = await open({ tree: { a: 'one' } });
    expect(refusalBy(await modify(run.workspace, 'a', ['', 'x'])).code).toBe('invalid-arguments');
    expect(refusalBy(await modify(run.workspace, 'a', ['one', 'one'])).code).toBe('invalid-arguments');
    expect(await textIn(run, 'a')).toBe('one');
  });

  proof.promise('missing files, directories and binary files are refused', async () => {
    const run = await open({ tree: { 'dir/a': 'one', bin: Uint8Array.from([0xff, 0xfe, 0x78]) } });
    expect(refusalBy(await modify(run.workspace, 'none', ['one', 'two'])).code).toBe('not-found');
    expect(refusalBy(await modify(run.workspace, 'dir', ['one', 'two'])).code).toBe('invalid-arguments');
    expect(refusalBy(await modify(run.workspace, 'bin', ['x', 'y'])).code).toBe('invalid-arguments');
  });

  proof.promise('a file that was changed since it was viewed is not modified', async () => {
    const run = await open({ tree: { a: 'one two' } });
    await run.workspace.viewFile({ path: 'a' }, never);
    await run.files.write('a', 'one three');
    expect(refusalBy(await modify(run.workspace, 'a', ['one', 'ONE'])).code).toBe('changed-since-read');
    expect(await textIn(run, 'a')).toBe('one three');
  });

  proof.promise('a file that was never viewed can be modified: the old text shows that it is known', async () => {
    const run = await open({ tree: { a: 'one' } });
    doneBy(await modify(run.workspace, 'a', ['one', 'two']));
    expect(await textIn(run, 'a')).toBe('two');
  });
}
