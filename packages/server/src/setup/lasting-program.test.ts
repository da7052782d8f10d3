import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LastingProgram, removeLastingPrograms } from './lasting-program.ts';

let home: string;
let modules: string;

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'lasting-program-')));
  modules = join(home, '.npm', '_npx', 'abc', 'node_modules');
  await put('gemini-mcp-server/package.json', '{}');
  await put('gemini-mcp-server/dist/server.cjs', 'first');
});

afterEach(() => rm(home, { recursive: true, force: true }));

async function put(name: string, text: string): Promise<void> {
  await mkdir(join(modules, name, '..'), { recursive: true });
  await writeFile(join(modules, name), text);
}

const open = (version = '1.0.0'): LastingProgram => {
  const programPath = join(modules, 'gemini-mcp-server', 'dist', 'server.cjs');
  return new LastingProgram({ programPath, version, environment: { HOME: home } });
};

const programs = (): string => join(home, '.config', 'gemini-mcp-server', 'program');

it('is the whole package with its native modules, below a private directory', async () => {
  await put('@napi-rs/keyring/index.js', 'keys');
  await put('other/index.js', 'not ours');
  const program = open();
  expect(await program.keep()).toBeNull();
  expect(program.path).toBe(join(programs(), '1.0.0', 'node_modules', 'gemini-mcp-server', 'dist', 'server.cjs'));
  expect(await readFile(program.path, 'utf8')).toBe('first');
  expect(await readdir(join(programs(), '1.0.0', 'node_modules'))).toEqual(['@napi-rs', 'gemini-mcp-server']);
  if (process.platform !== 'win32') {
    expect((await stat(programs())).mode & 0o077).toBe(0);
  }
});

it.skipIf(process.platform === 'win32')(
  'has the builds of the native modules that pnpm keeps next to their real path',
  async () => {
    const store = join(home, 'store', '@napi-rs');
    await mkdir(join(store, 'keyring'), { recursive: true });
    await mkdir(join(store, 'keyring-linux-x64-gnu'));
    await mkdir(join(modules, '@napi-rs'));
    await symlink(join(store, 'keyring'), join(modules, '@napi-rs', 'keyring'));
    expect(await open().keep()).toBeNull();
    expect(await readdir(join(programs(), '1.0.0', 'node_modules', '@napi-rs'))).toEqual([
      'keyring',
      'keyring-linux-x64-gnu',
    ]);
  },
);

it('replaces an earlier copy of its version, and leaves other versions', async () => {
  await open().keep();
  await open('1.1.0').keep();
  await put('gemini-mcp-server/dist/server.cjs', 'second');
  await open().keep();
  expect(await readFile(open().path, 'utf8')).toBe('second');
  expect(await readFile(open('1.1.0').path, 'utf8')).toBe('first');
  expect(await readdir(programs())).toEqual(['1.0.0', '1.1.0']);
});

it.skipIf(process.platform === 'win32')('has the contents of links, whose targets may go', async () => {
  await writeFile(join(home, 'late.cjs'), 'late');
  await symlink(join(home, 'late.cjs'), join(modules, 'gemini-mcp-server', 'dist', 'late.cjs'));
  const program = open();
  await program.keep();
  await rm(join(home, 'late.cjs'));
  expect(await readFile(join(program.path, '..', 'late.cjs'), 'utf8')).toBe('late');
});

it('says why it cannot be there, and leaves nothing half done', async () => {
  await open().keep();
  await rm(join(modules, 'gemini-mcp-server'), { recursive: true });
  expect(await open().keep()).toMatch(
    /^The server could not be copied from the cache that it runs in to .*program \(ENOENT\)\. Install/,
  );
  expect(await readFile(open().path, 'utf8')).toBe('first');
  expect(await readdir(programs())).toEqual(['1.0.0']);
});

it('goes with all its versions', async () => {
  await open().keep();
  await removeLastingPrograms({ HOME: home });
  await expect(stat(programs())).rejects.toThrow('ENOENT');
  await removeLastingPrograms({ HOME: home });
});
