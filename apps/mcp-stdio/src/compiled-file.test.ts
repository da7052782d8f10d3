import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CompiledFile } from './compiled-modules.ts';

const code = Buffer.from('what V8 made of it');
const onlyOnPosix = it.runIf(process.platform !== 'win32');

let root: string;
let directory: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'compiled-file-'));
  directory = join(root, 'compiled');
});

afterEach(() => rm(root, { recursive: true, force: true }));

function fileOf(source: string, path = '/bundle/serve.cjs'): CompiledFile {
  return new CompiledFile({ path, source: Buffer.from(source), directory });
}

async function keptPath(): Promise<string> {
  const [name = ''] = await readdir(directory);
  return join(directory, name);
}

describe('CompiledFile', () => {
  it('returns the written bytes, also to another process', () => {
    fileOf('source').write(code);
    expect(fileOf('source').read()).toEqual(code);
  });

  it('returns null for an unknown file', () => {
    expect(fileOf('source').read()).toBeUndefined();
  });

  it('knows nothing of another source, be it as long, nor of another file', () => {
    fileOf('source').write(code);
    expect(fileOf('s0urce').read()).toBeUndefined();
    expect(fileOf('source', '/bundle/late.cjs').read()).toBeUndefined();
  });

  it('gives nothing that is damaged in any byte, cut, or empty', async () => {
    fileOf('source').write(code);
    const path = await keptPath();
    const sound = await readFile(path);
    for (let place = 0; place < sound.length; place += 1) {
      const damaged = Buffer.from(sound);
      damaged[place] = (damaged[place] ?? 0) ^ 1;
      await writeFile(path, damaged);
      expect(fileOf('source').read()).toBeUndefined();
      await writeFile(path, sound.subarray(0, place));
      expect(fileOf('source').read()).toBeUndefined();
    }
    await writeFile(path, Buffer.alloc(sound.length));
    expect(fileOf('source').read()).toBeUndefined();
  });

  it('replaces a damaged file', async () => {
    fileOf('source').write(code);
    await writeFile(await keptPath(), 'damaged');
    fileOf('source').write(code);
    expect(fileOf('source').read()).toEqual(code);
    expect(await readdir(directory)).toHaveLength(1);
  });

  onlyOnPosix('is for the user alone', async () => {
    fileOf('source').write(code);
    expect((await stat(directory)).mode & 0o077).toBe(0);
    expect((await stat(await keptPath())).mode & 0o077).toBe(0);
  });

  onlyOnPosix('gives nothing that others may write', async () => {
    fileOf('source').write(code);
    await chmod(await keptPath(), 0o620);
    expect(fileOf('source').read()).toBeUndefined();
  });

  onlyOnPosix('gives nothing through a link', async () => {
    fileOf('source').write(code);
    const path = await keptPath();
    await rename(path, join(root, 'elsewhere'));
    await symlink(join(root, 'elsewhere'), path);
    expect(fileOf('source').read()).toBeUndefined();
  });

  it('gives nothing where a directory has its name', async () => {
    fileOf('source').write(code);
    const path = await keptPath();
    await rm(path);
    await mkdir(path);
    expect(fileOf('source').read()).toBeUndefined();
  });

  it('continues if nothing can be written', async () => {
    await writeFile(directory, 'a file in its place');
    fileOf('source').write(code);
    expect(fileOf('source').read()).toBeUndefined();
    expect(await readdir(root)).toEqual(['compiled']);
  });

  it('throws the others away when too many have gathered', async () => {
    for (let version = 0; version < 40; version += 1) {
      fileOf(`source of version ${version}`).write(code);
    }
    expect((await readdir(directory)).length).toBeLessThanOrEqual(24);
    expect(fileOf('source of version 39').read()).toEqual(code);
  });
});
