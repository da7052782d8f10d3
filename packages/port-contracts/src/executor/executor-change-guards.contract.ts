import type { ChangeConsent, PutFileRequest, StepRefusal, Workspace } from '@gemini-mcp/core';
import { describe, expect } from 'vitest';
import { doneBy, type ExecutorSubject, never, refusalBy, textIn } from './executor-harness.ts';

async function refusalOf(workspace: Workspace, request: PutFileRequest): Promise<StepRefusal> {
  return refusalBy(await workspace.putFile(request, never));
}

/** Which files need consent to be changed, and which are never changed. */
export function describeChangeGuards(subject: ExecutorSubject): void {
  describe('guards', () => {
    describeProtected(subject);
    describeAsked(subject);
    describeNoText(subject);
    describeConsent(subject);
  });
}

function describeProtected({ proof, open, features }: ExecutorSubject): void {
  proof.promise('protected files are neither created nor changed', async () => {
    const tree = { '.git/config': 'theirs', '.env': 'KEY=1', 'sub/.vscode/tasks.json': '{}', 'GEMINI.md': 'theirs' };
    const run = await open({ tree });
    for (const path of [...Object.keys(tree), '.git/hooks/pre-commit', '.gemini/settings.json', 'sub/.env', '.GIT/x']) {
      expect((await refusalOf(run.workspace, { path, content: 'ours' })).code).toBe('protected');
    }
    const replacements = [{ oldText: 'theirs', newText: 'ours', all: false }] as const;
    const modified = await run.workspace.modifyFile({ path: '.git/config', replacements }, never);
    expect(refusalBy(modified).code).toBe('protected');
    expect([...(await run.files.all())].sort()).toEqual(Object.keys(tree).sort());
    expect(await textIn(run, '.git/config')).toBe('theirs');
  });

  proof.promise('no consent lets a protected file be changed', async () => {
    const run = await open({});
    const consent = { path: '.git/hooks/x', beforeHash: null };
    expect((await refusalOf(run.workspace, { path: '.git/hooks/x', content: '', consent })).code).toBe('protected');
    expect(await run.files.all()).toEqual([]);
  });

  proof.promise('secrets are not read', async () => {
    const run = await open({ tree: { '.env': 'KEY=1', 'keys/server.pem': 'KEY' } });
    for (const path of ['.env', 'keys/server.pem']) {
      expect(refusalBy(await run.workspace.viewFile({ path }, never)).code).toBe('protected');
      expect(refusalBy(await run.workspace.lookAt(path, never)).code).toBe('protected');
    }
  });

  if (features.links) {
    proof.promise('a link to a protected file is refused like its target', async () => {
      const tree = { '.git/config': 'theirs', '.env': 'KEY=1', 'package.json': '{}' };
      const run = await open({ tree, links: { harmless: '.git', 'a.txt': '.env', 'b.json': 'package.json' } });
      const write = { path: 'harmless/config', content: 'ours' };
      expect((await refusalOf(run.workspace, write)).code).toBe('protected');
      expect((await refusalOf(run.workspace, { path: 'a.txt', content: 'ours' })).code).toBe('protected');
      expect(refusalBy(await run.workspace.viewFile({ path: 'a.txt' }, never)).code).toBe('protected');
      await run.workspace.viewFile({ path: 'b.json' }, never);
      expect(await refusalOf(run.workspace, { path: 'b.json', content: '[]' })).toMatchObject({
        code: 'needs-approval',
        proposal: { path: 'package.json' },
      });
    });
  }
}

const before = '{\n  "name": "a"\n}\n';
const beforeHash = '2198e2080961d82a152fc1d0c8297754a6b85a3dc1084f9f413ef4866ce9ab43';
const after = '{\n  "name": "b"\n}\n';

function describeAsked({ proof, open }: ExecutorSubject): void {
  proof.promise('a file that builds run is changed only with consent: the refusal contains the change', async () => {
    const run = await open({ tree: { 'package.json': before } });
    await run.workspace.viewFile({ path: 'package.json' }, never);
    const refusal = await refusalOf(run.workspace, { path: 'package.json', content: after });
    expect(refusal).toMatchObject({
      code: 'needs-approval',
      proposal: {
        path: 'package.json',
        reason: expect.stringMatching(/\S/),
        diff: '--- a/package.json\n+++ b/package.json\n@@ -1,3 +1,3 @@\n {\n-  "name": "a"\n+  "name": "b"\n }\n',
        beforeHash,
      },
    });
    expect(await textIn(run, 'package.json')).toBe(before);
  });

  proof.promise('the same holds for a part of it, and for a missing one', async () => {
    const run = await open({ tree: { 'package.json': before } });
    const replacements = [{ oldText: '"a"', newText: '"b"', all: false }] as const;
    const modified = refusalBy(await run.workspace.modifyFile({ path: 'package.json', replacements }, never));
    expect(modified).toMatchObject({
      code: 'needs-approval',
      proposal: { beforeHash, diff: expect.stringMatching(/\+ {2}"name": "b"/) },
    });
    expect(await refusalOf(run.workspace, { path: 'lib/Makefile', content: 'all:\n' })).toMatchObject({
      code: 'needs-approval',
      proposal: {
        path: 'lib/Makefile',
        diff: '--- /dev/null\n+++ b/lib/Makefile\n@@ -0,0 +1 @@\n+all:\n',
        beforeHash: null,
      },
    });
    expect(await run.files.all()).toEqual(['package.json']);
  });
}

function describeNoText({ proof, open }: ExecutorSubject): void {
  proof.promise(
    'the change of a refusal contains everything to be written, also if a NUL makes it binary',
    async () => {
      const run = await open({});
      const refusal = await refusalOf(run.workspace, { path: 'Makefile', content: 'all:\n\t./hidden\u0000\n' });
      expect(refusal.proposal?.diff).toContain('./hidden');
    },
  );
}

function describeConsent({ proof, open }: ExecutorSubject): void {
  const put = { path: 'package.json', content: after };

  proof.promise('the change is made with consent', async () => {
    const run = await open({ tree: { 'package.json': before } });
    await run.workspace.viewFile({ path: 'package.json' }, never);
    const { proposal } = await refusalOf(run.workspace, put);
    doneBy(await run.workspace.putFile({ ...put, ...(proposal && { consent: proposal }) }, never));
    expect(await textIn(run, 'package.json')).toBe(after);
  });

  proof.promise('consent to another path or content does not count', async () => {
    const run = await open({ tree: { 'package.json': before } });
    await run.workspace.viewFile({ path: 'package.json' }, never);
    const others: readonly ChangeConsent[] = [
      { path: 'lib/package.json', beforeHash },
      { path: 'package.json', beforeHash: null },
      { path: 'package.json', beforeHash: beforeHash.replace(/^./, '0') },
    ];
    for (const consent of others) {
      expect((await refusalOf(run.workspace, { ...put, consent })).code).toBe('needs-approval');
    }
    expect(await textIn(run, 'package.json')).toBe(before);
  });

  proof.promise('consent expires when the file changes', async () => {
    const run = await open({ tree: { 'package.json': before } });
    await run.workspace.viewFile({ path: 'package.json' }, never);
    const consent = { path: 'package.json', beforeHash };
    await run.files.write('package.json', 'theirs');
    expect((await refusalOf(run.workspace, { ...put, consent })).code).toBe('changed-since-read');
    const replacements = [{ oldText: 'theirs', newText: 'ours', all: false }] as const;
    const other = await run.openRun();
    const modified = await other.modifyFile({ path: 'package.json', replacements, consent }, never);
    expect(refusalBy(modified).code).toBe('needs-approval');
    expect(await textIn(run, 'package.json')).toBe('theirs');
  });
}
