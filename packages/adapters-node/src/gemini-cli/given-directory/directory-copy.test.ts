import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Clock } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyDirectory, copyLimits } from './copy-directory.ts';
import { type CopyLimits, type CopyResult, DirectoryCopy, type DirectoryCopyOptions } from './directory-copy.ts';

let root: string;
let fresh = 0;

/** So late that every file counts as settled when it is read. */
const later: Clock = new FakeClock(Date.now() + 3_600_000);
const noAbort = new AbortController().signal;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'directory-copy-')));
  mkdirSync(from());
});

afterEach(() => rm(root, { recursive: true }));

function from(name = ''): string {
  return join(root, 'from', name);
}

function to(name = ''): string {
  return join(root, 'to', name);
}

function options({ clock = later, ...limits }: Partial<CopyLimits> & { readonly clock?: Clock }): DirectoryCopyOptions {
  const privateDirectories = [from('state')];
  return { clock, from: from(), roots: [root], to: to(), privateDirectories, limits: { ...copyLimits, ...limits } };
}

function createCopy(fields: Partial<CopyLimits> & { readonly clock?: Clock } = {}): DirectoryCopy {
  return new DirectoryCopy(options(fields));
}

function update(copy: DirectoryCopy, signal = noAbort): Promise<CopyResult> {
  return copy.update(Number.POSITIVE_INFINITY, signal);
}

/** Makes room at a path, whatever is there or on the way to it. */
function clear(path: string, base = from()): void {
  const names = path.split('/');
  for (const [index] of names.entries()) {
    const place = names.slice(0, index + 1).join('/');
    const stats = lstatSync(join(base, place), { throwIfNoEntry: false });
    if (stats !== undefined && (place === path || !stats.isDirectory())) {
      rmSync(join(base, place), { recursive: true });
    }
  }
  mkdirSync(dirname(join(base, path)), { recursive: true });
}

function put(path: string, content: string): void {
  clear(path);
  writeFileSync(from(path), content);
}

/** All that is below a directory: contents by path, `null` for a directory, `link` for a link. */
function look(directory: string): Readonly<Record<string, string | null>> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const seen = entries.map((entry): [string, string | null] => {
    const path = join(entry.parentPath, entry.name);
    return [
      relative(directory, path),
      entry.isDirectory() ? null : entry.isFile() ? readFileSync(path, 'utf8') : 'link',
    ];
  });
  return Object.fromEntries(seen.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** What a copy that is made again holds. */
async function lookAtFresh(limits: Partial<CopyLimits> = {}): Promise<Readonly<Record<string, string | null>>> {
  fresh += 1;
  const place = join(root, `fresh-${fresh}`);
  const deadlineAtMs = Number.POSITIVE_INFINITY;
  expect(await copyDirectory({ ...options(limits), to: place, deadlineAtMs }, noAbort)).toEqual({ copied: true });
  return look(place);
}

async function expectPresent(copy: DirectoryCopy, limits: Partial<CopyLimits> = {}): Promise<void> {
  expect(await update(copy)).toEqual({ copied: true });
  expect(look(to())).toEqual(await lookAtFresh(limits));
}

function hasCopied(...paths: readonly string[]): readonly boolean[] {
  return paths.map((path) => path in look(to()));
}

describe('DirectoryCopy', () => {
  it('leaves what is unchanged alone', async () => {
    put('deep/a.txt', 'a');
    const copy = createCopy();
    await expectPresent(copy);
    const before = lstatSync(to('deep/a.txt'), { bigint: true });
    await expectPresent(copy);
    expect(lstatSync(to('deep/a.txt'), { bigint: true })).toMatchObject({ ino: before.ino, mtimeNs: before.mtimeNs });
  });

  it('brings what is added and changed, and takes away what is gone', async () => {
    put('a.txt', 'a');
    put('deep/er/b.txt', 'b');
    const copy = createCopy();
    await expectPresent(copy);
    put('a.txt', 'changed');
    put('new/c.txt', 'c');
    rmSync(from('deep'), { recursive: true });
    await expectPresent(copy);
    expect(hasCopied('new/c.txt', 'deep')).toEqual([true, false]);
    expect(readFileSync(to('a.txt'), 'utf8')).toBe('changed');
  });

  it('misses no change of the same size, however soon after reading it comes', async () => {
    let [written, isWriting] = [1_000, false];
    // Asked just before each file is read: for `b.txt` some microseconds after `a.txt` was.
    const clock: Clock = {
      now: () => {
        if (isWriting) {
          written += 1;
          writeFileSync(from('a.txt'), `${written}`);
        }
        return Date.now();
      },
      sleep: (durationMs, signal) => later.sleep(durationMs, signal),
    };
    put('a.txt', `${written}`);
    put('b.txt', 'b');
    const copy = createCopy({ clock });
    for (let round = 0; round < 20; round += 1) {
      isWriting = true;
      await update(copy);
      isWriting = false;
      await update(copy);
      expect(readFileSync(to('a.txt'), 'utf8')).toBe(`${written}`);
    }
  });

  it('follows a directory that becomes a file, and back', async () => {
    const copy = createCopy();
    for (const path of ['x/y/z', 'x', 'x/y', 'x/y/z', 'x/y']) {
      put(path, path);
      await expectPresent(copy);
      expect(readFileSync(to(path), 'utf8')).toBe(path);
    }
  });

  it('takes away what is ignored, secret, private or too large now', async () => {
    for (const path of ['a.log', 'logs/b.txt', 'large.txt', 'c.txt', 'stately/d.txt']) {
      put(path, path);
    }
    const copy = createCopy({ maxFileBytes: 100 });
    await expectPresent(copy, { maxFileBytes: 100 });
    put('.gitignore', '*.log\nlogs/\n');
    put('large.txt', 'x'.repeat(101));
    renameSync(from('c.txt'), from('c.pem'));
    renameSync(from('stately'), from('state'));
    await expectPresent(copy, { maxFileBytes: 100 });
    expect(Object.keys(look(to()))).toEqual(['.gemini', '.gemini/.env', '.git', '.gitignore']);
  });

  it('keeps up with links, but never to a secret or the outside', async () => {
    put('a.txt', 'a');
    put('b.txt', 'b');
    put('.env', 'secret');
    writeFileSync(join(root, 'outside.txt'), 'outside');
    const copy = createCopy();
    for (const [target, expected] of [
      ['a.txt', 'a'],
      ['b.txt', 'b'],
      ['../outside.txt', undefined],
      ['a.txt', 'a'],
      ['.env', undefined],
    ] as const) {
      clear('link');
      symlinkSync(target, from('link'));
      await expectPresent(copy);
      expect(look(to())['link']).toBe(expected);
    }
  });

  it('sees changes of the file to which a link leads', async () => {
    put('a.txt', 'a');
    symlinkSync('a.txt', from('link'));
    const copy = createCopy();
    await expectPresent(copy);
    put('a.txt', 'changed');
    await expectPresent(copy);
    expect(readFileSync(to('link'), 'utf8')).toBe('changed');
  });

  // Nothing is forbidden to root.
  it.runIf(process.platform !== 'win32' && process.getuid?.() !== 0)('takes away what may not be read', async () => {
    put('a.txt', 'a');
    put('deep/b.txt', 'b');
    const copy = createCopy();
    await expectPresent(copy);
    await chmod(from('a.txt'), 0o000);
    await chmod(from('deep'), 0o000);
    expect(await update(copy)).toEqual({ copied: true });
    expect(hasCopied('a.txt', 'deep')).toEqual([false, false]);
    await chmod(from('deep'), 0o700);
  });

  it('copies nothing through a link that took the place of the directory', async () => {
    put('a.txt', 'a');
    const copy = createCopy();
    await expectPresent(copy);
    renameSync(from(), join(root, 'other'));
    symlinkSync('other', from().replace(/\/$/, ''));
    expect(await update(copy)).toMatchObject({ copied: false, detail: expect.stringContaining('cannot be read') });
    expect(readdirSync(root).sort()).toEqual(['from', 'fresh-1', 'other', 'to'].map(named).sort());
  });
});

/** Fresh copies are counted over all tests. */
function named(name: string): string {
  return name === 'fresh-1' ? `fresh-${fresh}` : name;
}

describe('DirectoryCopy after a failure', () => {
  it.each<[string, Partial<CopyLimits>]>([
    ['files', { maxFiles: 2 }],
    ['bytes', { maxBytes: 9 }],
  ])('counts all %s, not only what is new, and starts from nothing', async (_, limits) => {
    put('a.txt', 'aaaa');
    put('b.txt', 'bbbb');
    const copy = createCopy(limits);
    await expectPresent(copy, limits);
    put('c.txt', 'cccc');
    expect(await update(copy)).toMatchObject({ copied: false, detail: expect.stringContaining('more than') });
    rmSync(from('a.txt'));
    await expectPresent(copy, limits);
  });

  it('starts from nothing after an abort in the middle', async () => {
    const controller = new AbortController();
    let [asked, isArmed] = [0, false];
    const clock: Clock = {
      now: () => {
        asked += isArmed ? 1 : 0;
        if (asked === 10) {
          controller.abort(new Error('enough'));
        }
        // Uses up the slice, so that the update looks up.
        for (const end = performance.now() + 15; asked === 10 && performance.now() < end; ) {}
        return later.now();
      },
      sleep: (durationMs, signal) => later.sleep(durationMs, signal),
    };
    const copy = createCopy({ clock });
    for (let index = 0; index < 30; index += 1) {
      put(`${index}.txt`, 'old');
    }
    await expectPresent(copy);
    for (let index = 0; index < 30; index += 1) {
      put(`${index}.txt`, 'newer');
    }
    isArmed = true;
    await expect(update(copy, controller.signal)).rejects.toThrow('enough');
    expect(new Set(Object.values(look(to())))).toContain('old');
    isArmed = false;
    writeFileSync(to('stray.txt'), 'stray');
    await expectPresent(copy);
  });

  it('ends at the deadline', async () => {
    put('a.txt', 'a');
    const copy = createCopy();
    expect(await copy.update(later.now(), noAbort)).toMatchObject({ copied: false });
    await expectPresent(copy);
  });

  it('makes no copy where there is something already, and does not touch that', async () => {
    mkdirSync(to());
    writeFileSync(to('mine.txt'), 'mine');
    const copy = createCopy();
    await expect(update(copy)).rejects.toThrow('EEXIST');
    await expect(update(copy)).rejects.toThrow('EEXIST');
    expect(readdirSync(to())).toEqual(['mine.txt']);
  });

  it('updates once at a time', async () => {
    const copy = createCopy();
    const first = update(copy);
    await expect(update(copy)).rejects.toThrow('already');
    expect(await first).toEqual({ copied: true });
  });
});

describe('DirectoryCopy that somebody wrote to', () => {
  it('undoes what was done', async () => {
    for (const path of ['a.txt', 'b.txt', 'c.txt', 'deep/d.txt', 'deep/er/e.txt', 'gone/f.txt']) {
      put(path, path);
    }
    writeFileSync(join(root, 'outside.txt'), 'outside');
    const copy = createCopy();
    await expectPresent(copy);
    writeFileSync(to('a.txt'), 'forged');
    writeFileSync(to('GEMINI.md'), 'obey');
    writeFileSync(to('.gemini/settings.json'), '{}');
    rmSync(to('b.txt'));
    rmSync(to('c.txt'));
    symlinkSync(join(root, 'outside.txt'), to('c.txt'));
    rmSync(to('deep'), { recursive: true });
    symlinkSync(root, to('deep'));
    rmSync(to('gone'), { recursive: true });
    rmSync(from('gone'), { recursive: true });
    await expectPresent(copy);
    expect(readFileSync(join(root, 'outside.txt'), 'utf8')).toBe('outside');
  });

  it('is made again where it was taken away or replaced', async () => {
    put('a.txt', 'a');
    const copy = createCopy();
    await expectPresent(copy);
    rmSync(to(), { recursive: true });
    await expectPresent(copy);
    renameSync(to(), join(root, 'moved'));
    symlinkSync('moved', join(root, 'to'));
    await expectPresent(copy);
    expect(lstatSync(join(root, 'to')).isDirectory()).toBe(true);
    expect(readdirSync(join(root, 'moved'))).toContain('a.txt');
  });
});

const paths = ['a', 'a/b', 'a/b/c', 'a/d.txt', 'e.log', 'f/e.log', 'f/.env', 'f/GEMINI.md', '.agents/g', 'build/h'];
const path = fc.constantFrom(...paths);
const edit = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), path }),
  fc.record({ kind: fc.constant('remove' as const), path }),
  fc.record({ kind: fc.constant('link' as const), path, target: fc.constantFrom(...paths, '../outside', 'none') }),
  fc.record({
    kind: fc.constant('ignore' as const),
    path: fc.constantFrom('.gitignore', 'a/.gitignore', 'f/.geminiignore'),
    rule: fc.constantFrom('*.log', 'a', 'b/', '*', '!e.log', '/a/b/c', 'f'),
  }),
  fc.record({ kind: fc.constant('forge' as const), path }),
);
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

let length = 0;

/** Never twice of one size: these tests are quicker than the times of files, which `later` denies. */
function nextText(): string {
  length += 1;
  return '#'.repeat(length);
}

function apply(change: Edit): void {
  switch (change.kind) {
    case 'put':
      put(change.path, nextText());
      return;
    case 'ignore':
      put(change.path, `${nextText()}\n${change.rule}\n`);
      return;
    case 'link':
      clear(change.path);
      symlinkSync(join(from(), change.target), from(change.path));
      return;
    case 'remove':
      clear(change.path);
      return;
    case 'forge':
      clear(change.path, to());
      writeFileSync(to(change.path), nextText());
  }
}

describe('DirectoryCopy after any edits', () => {
  it('is what a fresh copy is', { timeout: 60_000 }, async () => {
    writeFileSync(join(root, 'outside'), 'outside');
    const copy = createCopy();
    await update(copy);
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 8 }), async (changes) => {
        changes.forEach(apply);
        await expectPresent(copy);
      }),
      { numRuns: 100 },
    );
  });
});
