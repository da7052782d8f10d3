import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { editTextFile } from './edit-text-file.ts';

const onlyOnPosix = it.runIf(process.platform !== 'win32');

let root: string;
let path: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'edit-text-file-'));
  path = join(root, 'a', 'b', 'settings.json');
});

afterEach(() => rm(root, { recursive: true, force: true }));

const append = (text: string | null) => `${text ?? ''}x`;

describe('editTextFile', () => {
  it('creates a private file with its directory, and nothing else', async () => {
    expect(await editTextFile({ below: null, path, edit: append, isPrivate: true })).toEqual({ type: 'written' });
    expect(await readFile(path, 'utf8')).toBe('x');
    expect(await readdir(join(root, 'a', 'b'))).toEqual(['settings.json']);
    if (process.platform !== 'win32') {
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect((await stat(join(root, 'a'))).mode & 0o077).toBe(0);
    }
  });

  onlyOnPosix('UPSTREAM-L10: does not write through a link that leads out of the project', async () => {
    const [project, outside] = [join(root, 'project'), join(root, 'outside')];
    await mkdir(join(project, 'linked'), { recursive: true });
    await mkdir(outside);
    await writeFile(join(outside, 'settings.json'), 'same');
    await symlink(join(outside, 'settings.json'), join(project, 'linked', 'settings.json'));
    await symlink(outside, join(project, 'directory'));
    for (const name of ['linked/settings.json', 'directory/settings.json', 'directory/new.json']) {
      const written = await editTextFile({ path: join(project, name), edit: append, isPrivate: false, below: project });
      expect(written).toEqual({ type: 'failed', reason: `a link leads out of ${project}` });
    }
    expect(await readdir(outside)).toEqual(['settings.json']);
    expect(await readFile(join(outside, 'settings.json'), 'utf8')).toBe('same');
    const inside = await editTextFile({ path: join(project, 'a'), edit: append, isPrivate: false, below: project });
    expect(inside).toEqual({ type: 'written' });
  });

  it('removes the drafts of killed writers, and no draft of another file', async () => {
    await editTextFile({ below: null, path, edit: append, isPrivate: true });
    const other = '.other.json-0011223344556677.draft';
    await writeFile(join(root, 'a', 'b', '.settings.json-0011223344556677.draft'), '{');
    await writeFile(join(root, 'a', 'b', other), '{');
    expect(await editTextFile({ below: null, path, edit: append, isPrivate: true })).toEqual({ type: 'written' });
    expect((await readdir(join(root, 'a', 'b'))).sort()).toEqual([other, 'settings.json']);
  });

  it('leaves a file alone if nothing changes, and creates none', async () => {
    expect(await editTextFile({ below: null, path, edit: () => null, isPrivate: true })).toEqual({ type: 'unchanged' });
    expect(await readdir(join(root, 'a', 'b'))).toEqual([]);
    await writeFile(path, 'same');
    const before = await stat(path);
    expect(await editTextFile({ below: null, path, edit: (text) => text, isPrivate: true })).toEqual({
      type: 'unchanged',
    });
    expect((await stat(path)).ino).toBe(before.ino);
  });

  onlyOnPosix('closes a private file, and keeps the mode of any other', async () => {
    await mkdir(join(root, 'a', 'b'), { recursive: true });
    await writeFile(path, '');
    await chmod(path, 0o664);
    await editTextFile({ below: null, path, edit: append, isPrivate: false });
    expect((await stat(path)).mode & 0o777).toBe(0o664);
    await editTextFile({ below: null, path, edit: append, isPrivate: true });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('loses nothing of many concurrent writes', async () => {
    const letters = [...'abcdefghijklmnopqrst'];
    const edits = letters.map((letter) =>
      editTextFile({ below: null, path, edit: (text) => `${text ?? ''}${letter}`, isPrivate: true }),
    );
    expect(new Set((await Promise.all(edits)).map(({ type }) => type))).toEqual(new Set(['written']));
    expect([...(await readFile(path, 'utf8'))].sort()).toEqual(letters);
  });

  it('continues after a writer that was killed', async () => {
    await mkdir(join(root, 'a', 'b'), { recursive: true });
    await writeFile(`${path}.lock`, '');
    await utimes(`${path}.lock`, 0, 0);
    expect(await editTextFile({ below: null, path, edit: append, isPrivate: true })).toEqual({ type: 'written' });
    expect(await readdir(join(root, 'a', 'b'))).toEqual(['settings.json']);
  });

  onlyOnPosix("writes a link's target, and keeps the link", async () => {
    await mkdir(join(root, 'a', 'b'), { recursive: true });
    await writeFile(join(root, 'real'), 'y');
    await symlink(join(root, 'real'), path);
    await editTextFile({ below: null, path, edit: append, isPrivate: true });
    expect(await readFile(join(root, 'real'), 'utf8')).toBe('yx');
    expect(await readFile(path, 'utf8')).toBe('yx');
  });

  onlyOnPosix('reports why it cannot be written', async () => {
    const failed = (reason: string) => ({ type: 'failed', reason: expect.stringContaining(reason) });
    await mkdir(join(root, 'a', 'b'), { recursive: true });
    await symlink(join(root, 'nowhere'), path);
    expect(await editTextFile({ below: null, path, edit: append, isPrivate: true })).toEqual(
      failed('a link that leads nowhere'),
    );
    await rm(path);
    await mkdir(path);
    expect(await editTextFile({ below: null, path, edit: append, isPrivate: true })).toEqual(
      failed('it is not a file'),
    );
    const below = join(root, 'file', 'settings.json');
    await writeFile(join(root, 'file'), '');
    expect(await editTextFile({ below: null, path: below, edit: append, isPrivate: true })).toEqual(
      failed('a file is in the place of its directory'),
    );
    await writeFile(join(root, 'large'), 'x'.repeat(20_000_001));
    expect(await editTextFile({ below: null, path: join(root, 'large'), edit: append, isPrivate: true })).toEqual(
      failed('20000000 bytes'),
    );
    expect(await readdir(root)).not.toContain('large.lock');
  });
});
