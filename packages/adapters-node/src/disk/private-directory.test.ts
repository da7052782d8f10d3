import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensurePrivateDirectory } from './private-directory.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'private-'));
});

afterEach(() => rm(root, { recursive: true }));

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

describe.skipIf(process.platform === 'win32')('ensurePrivateDirectory', () => {
  it('creates the directory and its parents as private, whatever the umask', async () => {
    const umask = process.umask(0);
    try {
      await ensurePrivateDirectory(join(root, 'a', 'b'));
    } finally {
      process.umask(umask);
    }
    expect(await modeOf(join(root, 'a'))).toBe(0o700);
    expect(await modeOf(join(root, 'a', 'b'))).toBe(0o700);
  });

  it('accepts an existing one with contents', async () => {
    await mkdir(join(root, 'a'), { mode: 0o700 });
    await writeFile(join(root, 'a', 'kept'), '');
    await ensurePrivateDirectory(join(root, 'a'));
    expect(await readdir(join(root, 'a'))).toEqual(['kept']);
  });

  it.each([0o750, 0o705, 0o770, 0o701, 0o1777])('refuses one of mode %o, and leaves the mode alone', async (mode) => {
    await mkdir(join(root, 'a'));
    await chmod(join(root, 'a'), mode);
    await expect(ensurePrivateDirectory(join(root, 'a'))).rejects.toThrow(/can be entered by other users/);
    expect(await modeOf(join(root, 'a'))).toBe(mode & 0o777);
  });

  it('refuses a link, even to a private directory', async () => {
    await mkdir(join(root, 'target'), { mode: 0o700 });
    await symlink(join(root, 'target'), join(root, 'link'));
    await symlink(join(root, 'nowhere'), join(root, 'dangling'));
    await expect(ensurePrivateDirectory(join(root, 'link'))).rejects.toThrow(/is not a real directory/);
    await expect(ensurePrivateDirectory(join(root, 'dangling'))).rejects.toThrow(/dangling/);
  });

  it('refuses a file in the way, at the end or on the way', async () => {
    await writeFile(join(root, 'file'), '');
    await expect(ensurePrivateDirectory(join(root, 'file'))).rejects.toThrow(/EEXIST/);
    await expect(ensurePrivateDirectory(join(root, 'file', 'a'))).rejects.toThrow(/ENOTDIR/);
  });

  it.skipIf(process.getuid?.() !== 0)("refuses another user's directory", async () => {
    await mkdir(join(root, 'a'), { mode: 0o700 });
    await chown(join(root, 'a'), 65_534, 65_534);
    await expect(ensurePrivateDirectory(join(root, 'a'))).rejects.toThrow(/belongs to another user/);
  });
});
