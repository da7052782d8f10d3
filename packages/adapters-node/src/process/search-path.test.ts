import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { searchPath, trustedPath } from './search-path.ts';

let root: string;
const startedIn = process.cwd();

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'search-path-'));
});

afterEach(async () => {
  process.chdir(startedIn);
  await rm(root, { recursive: true });
});

async function install(directory: string, directoryMode = 0o755, mode = 0o755): Promise<string> {
  const path = join(root, directory, 'gemini');
  await mkdir(join(root, directory), { recursive: true });
  await writeFile(path, '#!/bin/sh\n');
  await chmod(path, mode);
  await chmod(join(root, directory), directoryMode);
  return path;
}

function pathOf(...directories: readonly string[]): string {
  return directories.map((directory) => join(root, directory)).join(delimiter);
}

describe('searchPath', () => {
  it('takes the first directory that has the program', async () => {
    const second = await install('second');
    await install('third');
    expect(await searchPath('gemini', pathOf('first', 'second', 'third'))).toBe(second);
    expect(await searchPath('gemini', pathOf('first'))).toBeNull();
  });

  it('passes over what is no executable file', async () => {
    await install('not-executable', 0o755, 0o644);
    await mkdir(join(root, 'directory', 'gemini'), { recursive: true });
    await mkdir(join(root, 'dangling'));
    await symlink(join(root, 'nowhere'), join(root, 'dangling', 'gemini'));
    const real = await install('real');
    expect(await searchPath('gemini', pathOf('not-executable', 'directory', 'dangling', 'real'))).toBe(real);
  });

  it('CONFIG-05: relative and empty entries lead nowhere, whatever the current directory holds', async () => {
    await install('.');
    await install('bin');
    process.chdir(root);
    expect(await searchPath('gemini', ['.', '', 'bin', './bin', '..'].join(delimiter))).toBeNull();
    expect(await searchPath('gemini', '')).toBeNull();
  });

  it.each([0o777, 0o1777, 0o757])(
    'CONFIG-05: a directory of mode %o that anybody may write to does not count',
    async (mode) => {
      await install('shared', mode);
      const own = await install('own');
      await symlink(join(root, 'shared'), join(root, 'link'));
      expect(await searchPath('gemini', pathOf('shared', 'link', 'own'))).toBe(own);
    },
  );
});

describe('trustedPath', () => {
  it('CONFIG-05: keeps the order of what counts', async () => {
    await install('a');
    await install('shared', 0o777);
    const entries = ['.', pathOf('missing'), '', pathOf('shared'), 'relative/bin', pathOf('a')];
    expect(await trustedPath(entries.join(delimiter))).toBe(pathOf('missing', 'a'));
  });
});
