import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compileCacheVariables } from './compile-cache.ts';

let root: string;
let directory: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'compile-cache-'));
  directory = join(root, 'compiled');
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

describe('compileCacheVariables', () => {
  it('names a directory that it has made for this user alone', async () => {
    expect(await compileCacheVariables(directory)).toEqual({ NODE_COMPILE_CACHE: directory });
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  it('keeps the cache up to the limit', async () => {
    await mkdir(directory, { mode: 0o700 });
    await writeFile(join(directory, 'kept'), '');
    await compileCacheVariables(directory);
    expect(await readdir(directory)).toEqual(['kept']);
  });

  it('empties a directory over the limit', async () => {
    await mkdir(directory, { mode: 0o700 });
    for (let index = 0; index <= 200; index += 1) {
      await writeFile(join(directory, String(index)), '');
    }
    expect(await compileCacheVariables(directory)).toEqual({ NODE_COMPILE_CACHE: directory });
    expect(await readdir(directory)).toEqual([]);
  });

  it('sets no variable if others may enter the directory', async () => {
    await mkdir(directory);
    await chmod(directory, 0o777);
    expect(await compileCacheVariables(directory)).toEqual({});
  });

  it('sets no variable if the path is a link', async () => {
    await mkdir(join(root, 'elsewhere'), { mode: 0o700 });
    await symlink(join(root, 'elsewhere'), directory);
    expect(await compileCacheVariables(directory)).toEqual({});
  });

  it.runIf('enableCompileCache' in nodeModule)('is what Node keeps compiled code by', async () => {
    const program = join(root, 'program.cjs');
    await writeFile(program, 'process.exitCode = 0;');
    const { status } = spawnSync(process.execPath, [program], { env: { ...(await compileCacheVariables(directory)) } });
    expect(status).toBe(0);
    expect(await readdir(directory)).toHaveLength(1);
  });
});
