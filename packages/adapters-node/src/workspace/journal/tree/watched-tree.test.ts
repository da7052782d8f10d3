import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FileChange, UndoReport } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RealRoots } from '../../../disk/real-roots.ts';
import { RunJournals, type SavedRun } from '../run-journals.ts';
import { JournalledChanges } from '../testing/journalled-changes.ts';
import { digestTree, listTree } from '../testing/tree-digest.ts';
import type { TreeLimits } from './scan-tree.ts';
import { type CommandChanges, WatchedTree } from './watched-tree.ts';

let base: string;
let journals: RunJournals;
let run: SavedRun;
let tree: WatchedTree;

const noAbort = new AbortController().signal;

function project(name = ''): string {
  return join(base, 'project', name);
}

function put(name: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(project(name)), { recursive: true });
  writeFileSync(project(name), content);
  chmodSync(project(name), mode);
}

/** Files look as if they had been changed this long ago: within the same moment no stamp would show a change. */
async function watch(limits?: TreeLimits): Promise<void> {
  const clock = new FakeClock(Date.now() + 60_000);
  journals = new RunJournals({ stateDirectory: join(base, 'state'), clock, privateDirectories: [] });
  const places = { workingDirectory: project(), roots: [project()] };
  run = await journals.create({ runId: 'run-1', owner: 'alice', ...places });
  tree = new WatchedTree({
    directories: [project()],
    roots: new RealRoots({ directories: [project()] }),
    workingDirectory: project(),
    journal: run.journal,
    copiesDirectory: join(run.directory, 'copies'),
    clock,
    ...(limits === undefined ? {} : { limits }),
  });
}

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'watched-tree-')));
  mkdirSync(project());
});

afterEach(() => {
  if (existsSync(project('closed'))) {
    chmodSync(project('closed'), 0o755);
  }
  execFileSync('rm', ['-rf', base]);
});

async function command(act: () => void, isAllowedByUser = false): Promise<readonly FileChange[]> {
  return (await wholeCommand(act, isAllowedByUser)).files;
}

async function wholeCommand(act: () => void, isAllowedByUser = false): Promise<CommandChanges> {
  await tree.begin(isAllowedByUser);
  act();
  return tree.end();
}

async function undo(): Promise<UndoReport> {
  await tree.close();
  await run.end();
  return journals.undo({ runId: 'run-1', owner: 'alice' }, noAbort);
}

function refusals(report: UndoReport): readonly string[] {
  return report.found
    ? report.paths.filter(({ outcome }) => outcome === 'refused').map(({ path, reason }) => `${path}: ${reason}`)
    : ['not found'];
}

function fillProject(): void {
  put('src/a.ts', 'one\n');
  put('src/deep/b.ts', 'two\r\n', 0o755);
  put('bin/tool.sh', '#!/bin/sh\n', 0o4750);
  put('empty.txt', '');
  put('a name with\na line end', 'x');
  put('docs/ünïcode 漢字.md', 'ü');
  mkdirSync(project('empty'), { mode: 0o711 });
  symlinkSync('src/a.ts', project('to-file'));
  symlinkSync('src', project('to-directory'));
  symlinkSync('nowhere', project('dangling'));
  linkSync(project('src/a.ts'), project('src/hard-link.ts'));
  put('closed/inside.txt', 'inside');
  chmodSync(project('closed'), 0o555);
}

/** Nested directories, created by a program that enters each: no path leads to the last. */
function makeDeep(path: string): void {
  const script = 'for (let i = 0; i < 30; i += 1) { fs.mkdirSync("x".repeat(200)); process.chdir("x".repeat(200)); }';
  execFileSync(process.execPath, ['-e', script], { cwd: project(path) });
}

/** The damage that a careless command may do to a tree. */
function ravage(): void {
  chmodSync(project('closed'), 0o755);
  writeFileSync(project('src/a.ts'), 'ONE\n');
  unlinkSync(project('closed/inside.txt'));
  rmSync(project('src/deep'), { recursive: true });
  rmSync(project('empty'), { recursive: true });
  chmodSync(project('bin/tool.sh'), 0o600);
  unlinkSync(project('to-file'));
  symlinkSync('bin/tool.sh', project('to-file'));
  unlinkSync(project('to-directory'));
  mkdirSync(project('to-directory'));
  put('to-directory/new.txt', 'new');
  unlinkSync(project('dangling'));
  writeFileSync(project('dangling'), 'a file');
  renameSync(project('docs'), project('documents'));
  symlinkSync('documents', project('docs'));
  unlinkSync(project('a name with\na line end'));
  mkdirSync(project('a name with\na line end'));
  writeFileSync(project('empty.txt'), 'not empty');
  put('new/er/file.txt', 'new');
  put('dist/built.js', 'built');
  if (process.platform !== 'win32') {
    execFileSync('mkfifo', [project('new/pipe')]);
  }
}

describe('WatchedTree', () => {
  it('SHOW-1: lets undo restore a tree byte for byte, with modes and links, after tools and commands changed it', async () => {
    fillProject();
    const before = await listTree(project());
    const digest = await digestTree(project());
    await watch();
    const tools = new JournalledChanges(tree);
    await tools.put(project('src/a.ts'), 'by a tool\n');
    await tools.put(project('made/by/a/tool.ts'), 'new\n');
    expect(await tree.prepare(noAbort)).toEqual({ commands: true });
    const changes = await command(ravage);
    expect(changes.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'deleted a name with\na line end',
      'modified bin/tool.sh',
      'modified closed',
      'deleted closed/inside.txt',
      'modified dangling',
      'created dist/built.js',
      'created docs',
      'deleted docs/ünïcode 漢字.md',
      'created documents/ünïcode 漢字.md',
      'deleted empty',
      'modified empty.txt',
      'created new/er/file.txt',
      'created new/pipe',
      'modified src/a.ts',
      'deleted src/deep/b.ts',
      'deleted to-directory',
      'created to-directory/new.txt',
      'modified to-file',
    ]);
    expect(changes.find(({ path }) => path === 'src/a.ts')).toMatchObject({
      diff: '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-by a tool\n+ONE\n',
      addedLines: 1,
      removedLines: 1,
    });
    await tools.put(project('src/a.ts'), 'by a tool again\n');
    await tools.put(project('new/er/file.txt'), 'changed');
    await command(() => writeFileSync(project('src/a.ts'), 'formatted\n'));
    expect(refusals(await undo())).toEqual([]);
    expect(await listTree(project())).toEqual(before);
    expect(await digestTree(project())).toBe(digest);
  });

  it('attributes to a command neither the changes of tools nor those of a user between two commands', async () => {
    put('tool.txt', 'a');
    put('both.txt', 'a');
    put('user.txt', 'a');
    await watch();
    await tree.prepare(noAbort);
    const tools = new JournalledChanges(tree);
    writeFileSync(project('user.txt'), 'by the user');
    await tree.begin(false);
    await tools.put(project('tool.txt'), 'by a tool');
    writeFileSync(project('both.txt'), 'by the command');
    await tools.put(project('both.txt'), 'by a tool');
    expect((await tree.end()).files).toEqual([]);
    writeFileSync(project('user.txt'), 'by the user again');
    expect(await command(() => put('command.txt', 'c'))).toMatchObject([{ path: 'command.txt', kind: 'created' }]);
    const report = await undo();
    expect(report.found && report.paths.map(({ path, outcome }) => `${outcome} ${path}`)).toEqual([
      'restored both.txt',
      'removed command.txt',
      'restored tool.txt',
    ]);
    expect(readFileSync(project('both.txt'), 'utf8')).toBe('a');
    expect(readFileSync(project('user.txt'), 'utf8')).toBe('by the user again');
  });

  it('refuses a path that the user edited after a command changed it, and keeps the edit', async () => {
    put('a.txt', 'a');
    await watch();
    await tree.prepare(noAbort);
    await command(() => writeFileSync(project('a.txt'), 'by the command'));
    writeFileSync(project('a.txt'), 'by the user');
    expect(refusals(await undo())).toEqual(['a.txt: It was changed after the run.']);
    expect(readFileSync(project('a.txt'), 'utf8')).toBe('by the user');
  });

  it('UNDO-07: watches no packages and nothing that git ignores, and lets no command hide what it creates', async () => {
    put('.gitignore', 'ignored/\n*.log\n');
    put('ignored/a.txt', 'a');
    put('node_modules/x/index.js', 'x');
    put('.git/config', 'c');
    put('kept.txt', 'k');
    await watch();
    await tree.prepare(noAbort);
    const changes = await command(() => {
      writeFileSync(project('ignored/a.txt'), 'changed');
      writeFileSync(project('node_modules/x/index.js'), 'changed');
      put('a.log', 'log');
      writeFileSync(project('.gitignore'), '*\n');
      put('hidden/.gitignore', '*\n');
      put('hidden/new.txt', 'n');
      writeFileSync(project('kept.txt'), 'changed');
    });
    expect(changes.map(({ path }) => path)).toEqual(['.gitignore', 'hidden/.gitignore', 'hidden/new.txt', 'kept.txt']);
    expect(refusals(await undo())).toEqual([]);
    expect(readFileSync(project('kept.txt'), 'utf8')).toBe('k');
    expect(readFileSync(project('.gitignore'), 'utf8')).toBe('ignored/\n*.log\n');
  });

  it.each([
    ['files', { maxFiles: 3, maxBytes: 1_000, maxEntries: 100 }],
    ['bytes', { maxFiles: 100, maxBytes: 3, maxEntries: 100 }],
    ['entries', { maxFiles: 100, maxBytes: 1_000, maxEntries: 3 }],
  ])('reports before a command that it cannot be undone if there are too many %s', async (_, limits) => {
    for (const name of ['a', 'b', 'c', 'd']) {
      put(name, 'x');
    }
    await watch(limits);
    const coverage = await tree.prepare(noAbort);
    expect(coverage).toMatchObject({ commands: false, reason: expect.stringContaining('there are more than') });
    expect(await tree.prepare(noAbort)).toBe(coverage);
    expect(await command(() => put('e', 'x'))).toEqual([]);
    const [first] = refusals(await undo());
    expect(first).toContain('.: Changes of commands cannot be undone, because there are more than');
  });

  it('HOST-M4: keeps existing files undoable after a command that creates more than is watched', async () => {
    put('a', 'a');
    put('src/deep/b', 'b');
    await watch({ maxFiles: 3, maxBytes: 1_000, maxEntries: 30 });
    await tree.prepare(noAbort);
    const { files, unkept, notes } = await wholeCommand(() => {
      writeFileSync(project('a'), 'changed');
      for (let index = 0; index < 100; index += 1) {
        put(`new/${index}`, 'n');
      }
    });
    expect(files.map(({ path }) => path)).toContain('a');
    expect(files.length + (unkept?.count ?? 0)).toBeGreaterThan(20);
    expect(notes).toEqual([
      'Not everything that commands created is known, because there are more than 30 files and directories now.',
    ]);
    expect(await tree.begin(false)).toEqual({ commands: false, reason: notes[0] });
    rmSync(project('src'), { recursive: true });
    unlinkSync(project('a'));
    const second = await tree.end();
    expect(second.files.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['deleted a', 'deleted src/deep/b']);
    const [first, ...others] = refusals(await undo());
    expect(first).toBe(`.: ${notes[0]}`);
    expect(others).toEqual([]);
    expect(readFileSync(project('a'), 'utf8')).toBe('a');
    expect(readFileSync(project('src/deep/b'), 'utf8')).toBe('b');
  });

  it('HOST-M4: keeps existing files undoable after a command that creates a path longer than the system allows', async () => {
    put('a', 'a');
    put('node_modules/b', 'b');
    await watch();
    await tree.prepare(noAbort);
    const { files, notes } = await wholeCommand(() => {
      unlinkSync(project('a'));
      makeDeep('');
    });
    expect(files.filter(({ path }) => path === 'a')).toMatchObject([{ kind: 'deleted' }]);
    expect(notes).toEqual([
      'Not everything that commands created is known, because a path is longer than the system allows (ENAMETOOLONG) now.',
    ]);
    expect(refusals(await undo())).toEqual([`.: ${notes[0]}`]);
    expect(readFileSync(project('a'), 'utf8')).toBe('a');
  });

  it('HOST-M3: reports incomplete knowledge if nothing is watched and a path is longer than the system allows', async () => {
    put('node_modules/b', 'b');
    await watch();
    await tree.prepare(noAbort);
    const { notes } = await wholeCommand(() => makeDeep('node_modules'));
    expect(notes).toEqual([
      'Not all changes of commands are known, because there are too many files, or their paths are too long.',
    ]);
  });

  it('HOST-M3: reports that a command changed the mode of a root, and undo restores it', async () => {
    put('a', 'a');
    chmodSync(project(), 0o755);
    await watch();
    await tree.prepare(noAbort);
    expect(await command(() => chmodSync(project(), 0o700))).toMatchObject([
      { path: '.', kind: 'modified', diff: 'Before: a directory, mode 755. After: a directory, mode 700.' },
    ]);
    expect(refusals(await undo())).toEqual([]);
    expect(statSync(project()).mode & 0o777).toBe(0o755);
  });

  it('HOST-M3: reports that a command changed the mode of a root if nothing is watched', async () => {
    put('a', 'a');
    put('b', 'b');
    await watch({ maxFiles: 1, maxBytes: 1_000, maxEntries: 1_000 });
    await tree.prepare(noAbort);
    const { unkept } = await wholeCommand(() => chmodSync(project(), 0o700));
    expect(unkept).toEqual({ count: 1, first: [{ path: '.', count: 1 }], scripts: [] });
  });

  it('HOST-M4: counts files beyond those that undo removes, and keeps watching', async () => {
    put('a', 'a');
    await watch({ maxFiles: 5, maxBytes: 1_000, maxEntries: 1_000, maxCreated: 10 });
    await tree.prepare(noAbort);
    const { files, unkept, notes } = await wholeCommand(() => {
      mkdirSync(project('m'));
      for (let index = 0; index < 30; index += 1) {
        writeFileSync(project(`m/${index}`), '');
      }
    });
    // The directory is one of the ten.
    expect(files).toHaveLength(9);
    expect(unkept).toEqual({ count: 21, first: [{ path: 'm', count: 21 }], scripts: [] });
    expect(notes).toHaveLength(1);
    expect(await command(() => rmSync(project('a')))).toMatchObject([{ path: 'a', kind: 'deleted' }]);
    await undo();
    expect(readFileSync(project('a'), 'utf8')).toBe('a');
  });

  it('HOST-M4: keeps the initial rules, whatever ignore files and markers commands write', async () => {
    put('src/a', 'a');
    put('cache/CACHEDIR.TAG', 'mark');
    await watch();
    await tree.prepare(noAbort);
    const first = await wholeCommand(() => {
      put('.gitignore', '*\n');
      put('src/CACHEDIR.TAG', 'mark');
      put('tests2/CACHEDIR.TAG', 'mark');
      put('tests2/conftest.py', 'print()');
      put('cache/kept', 'not watched');
    });
    expect(first.files.map(({ path }) => path)).toEqual([
      '.gitignore',
      'src/CACHEDIR.TAG',
      'tests2/CACHEDIR.TAG',
      'tests2/conftest.py',
    ]);
    expect(first.unkept).toEqual({ count: 1, first: [{ path: 'cache/kept', count: 1 }], scripts: [] });
    const second = await command(() => rmSync(project('src'), { recursive: true }));
    expect(second.map(({ path }) => path)).toEqual(['src/CACHEDIR.TAG', 'src/a']);
    expect(refusals(await undo())).toEqual([]);
    expect(readFileSync(project('src/a'), 'utf8')).toBe('a');
  });

  it('HOST-M3: reports changes if nothing is watched, and new directories', async () => {
    put('.gitignore', 'local/\n');
    put('local/keep.sh', 'a');
    put('node_modules/.bin/tsc', 'a');
    put('.venv/bin/python', 'a');
    put('sub/.git/config', 'a');
    await watch();
    await tree.prepare(noAbort);
    const { files, unkept, notes } = await wholeCommand(() => {
      put('node_modules/.bin/tsc', 'b');
      for (let index = 0; index < 213; index += 1) {
        put(`node_modules/x/${index}.js`, 'b');
      }
      put('.venv/bin/python', 'b');
      unlinkSync(project('local/keep.sh'));
      put('local/package.json', '{}');
      put('node_modules/x/package.json', '{}');
      put('sub/.git/config', 'b');
      put('tests/__pycache__/a.pyc', 'b');
      mkdirSync(project('e1/e2/.claude'), { recursive: true });
    });
    expect(files.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['created e1/e2/.claude', 'created tests']);
    expect(unkept).toEqual({
      count: 222,
      first: [
        { path: '.venv/bin/python', count: 1 },
        { path: 'local/keep.sh', count: 1 },
        { path: 'local/package.json', count: 1 },
        { path: 'node_modules', count: 216 },
        { path: 'sub/.git/config', count: 1 },
        { path: 'tests/__pycache__', count: 1 },
        { path: 'tests/__pycache__/a.pyc', count: 1 },
      ],
      scripts: ['local/package.json'],
    });
    expect(notes).toEqual([]);
  });

  it('HOST-M3: renames a new repository at any depth, unless the user allowed the command', async () => {
    put('sub/a', 'a');
    put('old/.git/config', '[core]');
    await watch();
    await tree.prepare(noAbort);
    const { notes } = await wholeCommand(() => {
      put('sub/.git/config', '[core] fsmonitor = x');
      put('node_modules/x/.GIT', 'gitdir: ../y');
      put('sub/.git/modules/y/.git', 'gitdir: z');
    });
    expect(notes.map((note) => note.split('.')[0])).toEqual([
      'A command created the Git repository "sub/',
      'A command created the Git repository "node_modules/x/',
    ]);
    expect((await listTree(project())).filter((line) => /\.git/i.test(line) && !line.includes('made-by'))).toHaveLength(
      2,
    );
    expect(readFileSync(project('sub/git-made-by-a-command-1/config'), 'utf8')).toContain('fsmonitor');
    const allowed = await wholeCommand(() => put('sub/.git/config', '[core]'), true);
    expect(allowed).toMatchObject({
      notes: [],
      unkept: { first: [{ path: 'sub/.git' }, { path: 'sub/.git/config' }] },
    });
    expect(readFileSync(project('sub/.git/config'), 'utf8')).toBe('[core]');
  });

  it('HOST-L8: reports files that a command left with setuid or setgid bits, wherever they are', async () => {
    put('kept', 'a', 0o2750);
    put('.gitignore', 'out');
    put('out/old', 'a');
    await watch();
    await tree.prepare(noAbort);
    const { notes } = await wholeCommand(() => {
      put('kept', 'b', 0o2750);
      put('tool', 'a', 0o2755);
      put('out/old', 'a', 0o4711);
      mkdirSync(project('shared'));
      chmodSync(project('shared'), 0o2775);
    });
    expect(notes).toEqual([
      expect.stringContaining(': "tool" (mode 2755), "out/old" (mode 4711). To take those rights away: `chmod ug-s`'),
    ]);
    const many = await wholeCommand(() => {
      for (let index = 0; index < 12; index += 1) {
        put(`many-${index}`, 'a', 0o2755);
      }
    });
    expect(many.notes).toEqual([expect.stringMatching(/"many-0" \(mode 2755\).*, and 2 more\./)]);
  });

  it("HOST-L5: restores a file's time of writing, and reports other names", async () => {
    put('a', 'a');
    put('b', 'b');
    linkSync(project('b'), project('b2'));
    const long = new Date('2020-01-01T00:00:00Z');
    utimesSync(project('a'), long, long);
    await watch();
    await tree.prepare(noAbort);
    const tools = new JournalledChanges(tree);
    await command(() => {
      writeFileSync(project('a'), 'changed');
      unlinkSync(project('b'));
    });
    await tools.put(project('a'), 'by a tool');
    const report = await undo();
    expect(report.found && report.paths.map(({ path, outcome, reason }) => [path, outcome, reason])).toEqual([
      ['a', 'restored', ''],
      ['b', 'restored', 'It had other names (hard links), which are separate files now.'],
    ]);
    expect(statSync(project('a')).mtimeMs).toBe(long.getTime());
  });

  it.runIf(process.platform === 'linux')('HOST-M3: reports changes of names that are not UTF-8', async () => {
    const shell = (script: string): void => void execFileSync('sh', ['-c', script], { cwd: project() });
    shell('mkdir sub; echo a > "$(printf \'sub/\\377\')"');
    await watch();
    await tree.prepare(noAbort);
    const { files, unkept } = await wholeCommand(() =>
      shell('echo bc > "$(printf \'sub/\\377\')"; mkdir "$(printf \'\\376\')"'),
    );
    expect(files).toEqual([]);
    expect(unkept?.first.map(({ path }) => path)).toEqual([String.raw`\xfe`, String.raw`sub/\xff`]);
  });

  it('HOST-L9: reports everything once, and no limit that does not exist', async () => {
    put('a', 'a');
    put('b', 'b');
    await watch({ maxFiles: 1, maxBytes: 1_000, maxEntries: 100 });
    expect(await tree.prepare(noAbort)).toEqual({
      commands: false,
      reason: 'Changes of commands cannot be undone, because there are more than 1 files that Git does not ignore.',
    });
    // Reported regardless.
    expect((await wholeCommand(() => put('a', 'b'))).unkept).toMatchObject({ count: 1, first: [{ path: 'a' }] });
  });

  it('keeps no copy of a secret, and refuses to restore it', async () => {
    put('.env', 'KEY=canary');
    await watch();
    await tree.prepare(noAbort);
    const copies = await listTree(run.directory);
    expect(copies.filter((line) => line.includes('copies/'))).toEqual([]);
    const changes = await command(() => writeFileSync(project('.env'), 'KEY=other'));
    expect(JSON.stringify(changes)).not.toContain('other');
    expect(changes).toMatchObject([{ path: '.env', kind: 'modified' }]);
    expect(refusals(await undo())).toEqual(['.env: Its content was not kept, or the kept content is damaged.']);
  });

  it('keeps its copies private to this user, and removes them with the run', async () => {
    fillProject();
    await watch();
    await tree.prepare(noAbort);
    const copies = (await listTree(run.directory)).filter((line) => line.includes('"copies'));
    expect(copies.length).toBeGreaterThan(5);
    expect(copies.filter((line) => !/ (directory 700|file 600 )/.test(line))).toEqual([]);
    await undo();
    expect((await listTree(run.directory)).filter((line) => line.includes('"copies'))).toEqual([]);
  });

  it('begins again after an abort', async () => {
    put('a', 'a');
    await watch();
    expect(await tree.prepare(AbortSignal.abort())).toMatchObject({ commands: false });
    expect(await tree.prepare(noAbort)).toEqual({ commands: true });
  });
});
