import { lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyDirectory, copyLimits } from './copy-directory.ts';
import type { CopyResult } from './directory-copy.ts';

let root: string;
const clock = new FakeClock();

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'copy-directory-')));
});

afterEach(() => rm(root, { recursive: true }));

async function fill(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, 'from', name)), { recursive: true });
    await writeFile(join(root, 'from', name), content);
  }
}

function copy(limits: Partial<typeof copyLimits> = {}, signal = new AbortController().signal): Promise<CopyResult> {
  const [from, to] = [join(root, 'from'), join(root, 'to')];
  const deadlineAtMs = clock.now() + 60_000;
  const privateDirectories = [join(from, 'state', 'runs'), join(from, 'state', 'sessions'), join(root, 'elsewhere')];
  return copyDirectory(
    { clock, deadlineAtMs, from, roots: [root], privateDirectories, to, limits: { ...copyLimits, ...limits } },
    signal,
  );
}

async function filesIn(name: string): Promise<readonly string[]> {
  const entries = await readdir(join(root, name), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(join(root, name), join(entry.parentPath, entry.name)))
    .sort();
}

const marks = ['.gemini/.env', '.git'];

describe('copyDirectory', () => {
  it('copies what may be read, byte for byte, for this user alone', async () => {
    await fill({ 'src/a.ts': 'a\r\n\ufeff\0é', 'README.md': 'r', '.github/x.yml': 'x', '.env.example': 'A=' });
    expect(await copy()).toEqual({ copied: true });
    expect(await filesIn('to')).toEqual([...marks, '.env.example', '.github/x.yml', 'README.md', 'src/a.ts'].sort());
    expect(await readFile(join(root, 'to/src/a.ts'), 'utf8')).toBe('a\r\n\ufeff\0é');
    if (process.platform !== 'win32') {
      expect((await lstat(join(root, 'to/src/a.ts'))).mode & 0o777).toBe(0o600);
      expect((await lstat(join(root, 'to/src'))).mode & 0o777).toBe(0o700);
    }
  });

  it('leaves out secrets, ignored files, and files that the CLI would obey', async () => {
    await fill({
      'a.txt': 'a',
      '.env': 's',
      'prod.env': 's',
      'deep/.env.local': 's',
      'key.pem': 's',
      'deep/id_rsa': 's',
      '.npmrc': 's',
      '.git/config': 's',
      '.aws/credentials': 's',
      '.gitignore': 'ignored.txt\n',
      'ignored.txt': 'i',
      'GEMINI.md': 'g',
      'deep/gemini.MD': 'g',
      '.gemini/settings.json': '{}',
      'deep/.gemini/commands/x.toml': 'x',
      '.agents/skills/x/SKILL.md': 'x',
      'node_modules/x/index.js': 'x',
      'picture.png': 'p',
      'large.txt': 'x'.repeat(101),
    });
    expect(await copy({ maxFileBytes: 100 })).toEqual({ copied: true });
    expect(await filesIn('to')).toEqual([...marks, '.gitignore', 'a.txt'].sort());
  });

  it('leaves out what lies in a hidden directory, and no other of its name', async () => {
    await fill({
      'state/runs/id/history.jsonl': 'h',
      'state/sessions/s.json': 's',
      'state/a.txt': 'a',
      'runs/b.txt': 'b',
      'b/state/runs/c.txt': 'c',
    });
    await symlink('state/sessions/s.json', join(root, 'from', 'to-hidden.json'));
    expect(await copy({ maxFiles: 4 })).toEqual({ copied: true });
    expect(await filesIn('to')).toEqual([...marks, 'b/state/runs/c.txt', 'runs/b.txt', 'state/a.txt'].sort());
  });

  it('follows a link to a file of its own, but to no secret and to nothing outside', async () => {
    await fill({ 'a.txt': 'a', '.env': 's', 'deep/b.txt': 'b' });
    await writeFile(join(root, 'outside.txt'), 'o');
    await symlink('a.txt', join(root, 'from', 'to-a.txt'));
    await symlink('.env', join(root, 'from', 'to-secret.txt'));
    await symlink('../outside.txt', join(root, 'from', 'to-outside.txt'));
    await symlink('deep', join(root, 'from', 'to-deep'));
    expect(await copy()).toEqual({ copied: true });
    expect(await filesIn('to')).toEqual([...marks, 'a.txt', 'deep/b.txt', 'to-a.txt'].sort());
    expect((await lstat(join(root, 'to/to-a.txt'))).isFile()).toBe(true);
  });

  it.each([
    ['files', { maxFiles: 1 }],
    ['bytes', { maxBytes: 3 }],
  ])('refuses a directory of too many %s', async (_, limits) => {
    await fill({ 'a.txt': 'aa', 'b.txt': 'bb' });
    expect(await copy(limits)).toMatchObject({ copied: false, detail: expect.stringContaining('more than') });
  });

  it('refuses what cannot be read, and a directory of git itself', async () => {
    expect(await copy()).toMatchObject({ copied: false, detail: expect.stringContaining('cannot be read') });
  });

  it('rejects on abort', async () => {
    await fill({ 'a.txt': 'a' });
    await expect(copy({}, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});
