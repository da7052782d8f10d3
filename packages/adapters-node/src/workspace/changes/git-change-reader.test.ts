import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeChangeReaderContract } from '@gemini-mcp/port-contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitPlace } from './testing/git-place.ts';

describeChangeReaderContract({
  name: 'GitChangeReader',
  deadlineMs: 20_000,
  create: async (before, after) => {
    const place = new GitPlace();
    place.commit(before);
    for (const path of Object.keys(before).filter((each) => !(each in after))) {
      rmSync(join(place.top, path));
    }
    place.write(after);
    return {
      reader: place.reader,
      directory: place.top,
      outside: join(place.root, 'outside'),
      countLeft: async () => place.left().length,
      close: async () => place.remove(),
    };
  },
});

let place: GitPlace;
beforeEach(() => {
  place = new GitPlace();
});
afterEach(() => {
  expect(place.left()).toEqual([]);
  place.remove();
});

const shown = (files: readonly { readonly path: string; readonly status: string }[]): readonly string[] =>
  files.map(({ path, status }) => `${status} ${path}`);

describe('a selection', () => {
  it('of staged changes has the index, and no later change', async () => {
    place.commit({ 'a.ts': 'one\n', 'b.ts': 'one\n' });
    place.write({ 'a.ts': 'two\n', 'b.ts': 'two\n' });
    place.git('add', 'a.ts');
    place.write({ 'a.ts': 'three\n' });
    const { files } = await place.change({ type: 'staged' });
    expect(files).toMatchObject([{ path: 'a.ts', text: 'two\n' }]);
  });

  it('of the branch has its commits since it left the default branch', async () => {
    place.commit({ 'a.ts': 'one\n' });
    place.git('checkout', '-q', '-b', 'work');
    place.commit({ 'b.ts': 'mine\n' });
    place.git('checkout', '-q', 'main');
    place.commit({ 'c.ts': 'theirs\n' });
    place.git('checkout', '-q', 'work');
    const { files, title } = await place.change({ type: 'branch' });
    expect(shown(files)).toEqual(['added b.ts']);
    expect(title).toMatch(/^HEAD [0-9a-f]{10} since it left main$/);
    expect(
      shown((await place.change({ type: 'range', from: 'main', to: 'HEAD', fromMergeBase: false })).files),
    ).toEqual(['added b.ts', 'deleted c.ts']);
    expect(shown((await place.change({ type: 'range', from: 'main', to: 'work', fromMergeBase: true })).files)).toEqual(
      ['added b.ts'],
    );
  });

  it('of a commit has what it changed in its first parent, and for a first commit all its files', async () => {
    const first = await place.commit({ 'a.ts': 'one\n' });
    place.commit({ 'a.ts': 'two\n', 'b.ts': 'x\n' });
    expect(shown((await place.change({ type: 'commit', revision: 'HEAD' })).files)).toEqual([
      'modified a.ts',
      'added b.ts',
    ]);
    expect(shown((await place.change({ type: 'commit', revision: first })).files)).toEqual(['added a.ts']);
  });

  it('of a repository without a commit has all its files', async () => {
    place.write({ 'a.ts': 'one\n' });
    expect(shown((await place.change()).files)).toEqual(['added a.ts']);
    expect(await place.read({ type: 'branch' })).toMatchObject({
      ok: false,
      problem: expect.stringContaining('no commit yet'),
    });
  });

  it.each(['nowhere', '--output=/tmp/x', 'HEAD:a.ts', '@{upstream}'])(
    'of an unknown revision is a problem: %s',
    async (revision) => {
      place.commit({ 'a.ts': 'one\n' });
      expect(await place.read({ type: 'commit', revision })).toMatchObject({
        ok: false,
        problem: expect.stringContaining('is no commit of this repository'),
      });
    },
  );

  it('of a shallow copy says what to do', async () => {
    const first = place.commit({ 'a.ts': 'one\n' });
    place.commit({ 'a.ts': 'two\n' });
    const copy = join(place.top, 'copy');
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${place.top}`, copy]);
    expect(await place.read({ type: 'commit', revision: 'HEAD' }, copy)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('shallow'),
    });
    expect(await place.read({ type: 'range', from: first, to: 'HEAD', fromMergeBase: true }, copy)).toMatchObject({
      ok: false,
      problem: `${first} is not in this copy of the repository, which is shallow. Fetch more of it; for actions/checkout set fetch-depth: 0.`,
    });
  });

  it('of a bare repository needs a commit or a range', async () => {
    place.commit({ 'a.ts': 'one\n' });
    const bare = join(place.top, 'bare.git');
    execFileSync('git', ['clone', '-q', '--bare', place.top, bare]);
    expect(await place.read({ type: 'working' }, bare)).toMatchObject({ ok: false });
    const read = await place.read({ type: 'commit', revision: 'HEAD' }, bare);
    expect(read.ok && shown(read.change.files)).toEqual(['added a.ts']);
    await (read.ok ? read.change.close() : undefined);
  });
});

describe('a changed file', () => {
  it('that was renamed keeps both names', async () => {
    place.commit({ 'old.ts': 'a\nb\nc\nd\ne\nf\n' });
    place.git('mv', 'old.ts', 'new.ts');
    place.write({ 'new.ts': 'a\nb\nc\nd\ne\nF\n' });
    const { files } = await place.change();
    expect(files).toMatchObject([
      { path: 'new.ts', previousPath: 'old.ts', status: 'modified', text: 'a\nb\nc\nd\ne\nF\n' },
    ]);
  });

  it('may have any name', async () => {
    const names = [
      'with blank.ts',
      'quote".ts',
      'line\nend.ts',
      'tab\t.ts',
      'umlaut-ä.ts',
      '-rf.ts',
      'a => b.ts',
      ':(top)x.ts',
    ];
    place.commit(Object.fromEntries(names.map((name) => [name, 'one\n'])));
    place.write(Object.fromEntries(names.map((name) => [name, 'two\n'])));
    const { files, unread } = await place.change();
    expect(unread).toEqual([]);
    expect(files.map(({ path }) => path)).toEqual(names.toSorted());
    expect(files.every(({ text, patch }) => text === 'two\n' && patch.includes('\n-one\n+two\n'))).toBe(true);
  });

  it('with other line ends alone, another mode or another name alone has no lines to review', async () => {
    place.commit({ 'ends.ts': 'a\nb\n', 'mode.sh': 'x\n', 'name.ts': 'some text\n' });
    place.write({ 'ends.ts': 'a\r\nb\r\n' });
    execFileSync('chmod', ['+x', join(place.top, 'mode.sh')]);
    place.git('mv', 'name.ts', 'moved.ts');
    const { files, unread } = await place.change();
    expect(files).toEqual([]);
    expect(unread.toSorted((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
      { path: 'ends.ts', reason: 'no-lines' },
      { path: 'mode.sh', reason: 'no-lines' },
      { path: 'moved.ts', reason: 'no-lines' },
    ]);
  });

  it('without a line end at its end has its lines all the same', async () => {
    place.commit({ 'a.ts': 'one\ntwo' });
    place.write({ 'a.ts': 'one\n2' });
    expect((await place.change()).files).toMatchObject([{ path: 'a.ts', text: 'one\n2' }]);
  });

  it('that is binary, too large, in another encoding, a submodule or in conflict is told', async () => {
    place.commit({ 'both.ts': 'base\n', 'latin.ts': 'x\n' });
    place.git('checkout', '-q', '-b', 'other');
    place.commit({ 'both.ts': 'theirs\n' });
    place.git('checkout', '-q', 'main');
    place.commit({ 'both.ts': 'mine\n' });
    expect(() => place.git('merge', 'other')).toThrow();
    place.write({
      'logo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]),
      'latin.ts': Buffer.from([0x66, 0xfc, 0x72, 0x0a]),
    });
    place.write({ 'big.ts': 'x'.repeat(2_000_000) });
    execFileSync('git', ['init', '-q', join(place.top, 'inner')]);
    writeFileSync(join(place.top, 'inner', 'x.ts'), 'x\n');
    const { files, unread } = await place.change();
    expect(files).toEqual([]);
    expect(new Map(unread.map(({ path, reason }) => [path, reason]))).toEqual(
      new Map([
        ['both.ts', 'unmerged'],
        ['latin.ts', 'not-utf8'],
        ['logo.png', 'binary'],
        ['big.ts', 'too-large'],
        ['inner/', 'submodule'],
      ]),
    );
  });

  it('among 400 secrets is read, and none of them is', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `d${index}/.env`);
    const all = (text: string) => Object.fromEntries([...names, 'a.ts', 'b.ts'].map((name) => [name, text]));
    place.commit(all('one\n'));
    place.write(all('CANARY\n'));
    const { files, unread } = await place.change();
    expect(shown(files)).toEqual(['modified a.ts', 'modified b.ts']);
    expect(unread.filter(({ reason }) => reason === 'sensitive')).toHaveLength(400);
  });

  it('with CRLF keeps its line ends, and shows the changed lines alone', async () => {
    place.commit({ 'a.ts': 'one\r\ntwo\r\nthree\r\n' });
    place.write({ 'a.ts': 'one\r\n2\r\nthree\r\n' });
    const { files } = await place.change();
    expect(files).toMatchObject([{ text: 'one\r\n2\r\nthree\r\n' }]);
    expect(files[0]?.patch.split('\n').filter((line) => /^[-+](?![-+])/.test(line))).toEqual(['-two\r', '+2\r']);
  });

  it('in the middle of a merge or a rebase is read, except in conflict', async () => {
    place.commit({ 'both.ts': 'base\n', 'theirs.ts': 'base\n' });
    place.git('checkout', '-q', '-b', 'other');
    place.commit({ 'both.ts': 'theirs\n', 'theirs.ts': 'theirs\n' });
    place.git('checkout', '-q', 'main');
    place.commit({ 'both.ts': 'mine\n' });
    for (const words of [
      ['merge', 'other'],
      ['rebase', 'other'],
    ]) {
      expect(() => place.git(...words)).toThrow();
      place.write({ 'new.ts': 'new\n' });
      const { files, unread } = await place.change();
      expect(unread).toEqual([{ path: 'both.ts', reason: 'unmerged' }]);
      expect(files.map(({ path }) => path)).toContain('new.ts');
      expect(shown((await place.change({ type: 'commit', revision: 'main' })).files)).toEqual(['modified both.ts']);
      place.git(words[0] ?? '', '--abort');
    }
  });

  it('outside the roots is told, and not read', async () => {
    place.commit({ 'in/a.ts': 'one\n', 'out/b.ts': 'one\n' });
    place.write({ 'in/a.ts': 'two\n', 'out/b.ts': 'two\n' });
    const inside = join(place.top, 'in');
    const read = await place.read({ type: 'working' }, inside, [inside]);
    expect(read).toMatchObject({
      ok: true,
      change: { files: [{ path: 'in/a.ts' }], unread: [{ path: 'out/b.ts', reason: 'outside-roots' }] },
    });
    await (read.ok ? read.change.close() : undefined);
  });

  it('that is a link shows its target, which is not read', async () => {
    place.commit({ 'a.ts': 'one\n' });
    writeFileSync(join(place.root, 'outside', 'secret.ts'), 'CANARY\n');
    symlinkSync(join(place.root, 'outside', 'secret.ts'), join(place.top, 'link.ts'));
    place.git('add', 'link.ts');
    const change = await place.change();
    expect(change.files).toMatchObject([{ path: 'link.ts', text: null }]);
    expect(JSON.stringify(change)).not.toContain('CANARY');
  });
});

it('leaves ignored files out, and reads new ones that are not', async () => {
  place.commit({ '.gitignore': '*.log\n' });
  place.write({ 'x.log': 'x\n', 'deep/new.ts': 'x\n' });
  expect(shown((await place.change()).files)).toEqual(['added deep/new.ts']);
});

it('reads a linked working tree whose repository lies outside the roots', async () => {
  place.commit({ 'a.ts': 'one\n' });
  const linked = join(place.root, 'linked');
  place.git('worktree', 'add', '-q', linked);
  writeFileSync(join(linked, 'a.ts'), 'two\n');
  const read = await place.read({ type: 'working' }, linked, [linked]);
  expect(read).toMatchObject({ ok: true, change: { files: [{ path: 'a.ts', text: 'two\n' }] } });
  await (read.ok ? read.change.close() : undefined);
});

it('changes nothing in the repository', async () => {
  place.commit({ 'a.ts': 'one\n' });
  place.write({ 'a.ts': 'two\n', 'new.ts': 'x\n' });
  const look = (): string =>
    execFileSync('find', ['.git', '-type', 'f', '-printf', '%p %s %T@\n'], { cwd: place.top, encoding: 'utf8' });
  const before = look();
  await place.change();
  mkdirSync(join(place.top, 'empty'), { recursive: true });
  expect(look()).toBe(before);
});
