import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { makeSafeDirectory } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProgramPath, type ProgramPathOptions, type ProgramSearch } from './program-path.ts';

let root: string;
const startedIn = process.cwd();

beforeEach(async () => {
  root = await makeSafeDirectory();
});

afterEach(async () => {
  process.chdir(startedIn);
  await rm(root, { recursive: true });
});

const at = (...names: readonly string[]): string => join(root, ...names);

async function install(directory: string, directoryMode = 0o755, mode = 0o755): Promise<string> {
  const path = at(directory, 'gemini');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '#!/bin/sh\n');
  await chmod(path, mode);
  await chmod(dirname(path), directoryMode);
  return path;
}

const pathOf = (...directories: readonly string[]): string =>
  directories.map((directory) => at(directory)).join(delimiter);

const programPath = (PATH: string, options: Partial<ProgramPathOptions> = {}): ProgramPath =>
  new ProgramPath({ environment: { PATH, HOME: root, ...options.environment }, roots: options.roots ?? [] });

const search = (PATH: string, options?: Partial<ProgramPathOptions>): Promise<ProgramSearch> =>
  programPath(PATH, options).search('gemini');

describe('the search result', () => {
  it('is the first program of that name', async () => {
    const second = await install('second');
    await install('third');
    expect(await search(pathOf('first', 'second', 'third'))).toEqual({ path: second, passedOver: [] });
    expect(await search(pathOf('first'))).toEqual({ path: null, passedOver: [] });
  });

  it('is an executable file', async () => {
    await install('not-executable', 0o755, 0o644);
    await mkdir(at('directory', 'gemini'), { recursive: true });
    await mkdir(at('dangling'));
    await symlink(at('nowhere'), at('dangling', 'gemini'));
    const real = await install('real');
    expect(await search(pathOf('not-executable', 'directory', 'dangling', 'real'))).toMatchObject({ path: real });
  });

  it('is a program installed since, on the next search', async () => {
    const programs = programPath(pathOf('bin'));
    expect(await programs.find('gemini')).toBeNull();
    const path = await install('bin');
    programs.renew();
    expect(await programs.find('gemini')).toBe(path);
  });
});

describe('ignored entries of PATH', () => {
  it('CONFIG-05: relative and empty ones, whatever the current directory holds', async () => {
    await install('.');
    await install('bin');
    process.chdir(root);
    const { path, passedOver } = await search(['.', '', 'bin', './bin', '..'].join(delimiter));
    expect(path).toBeNull();
    expect(passedOver.map(({ fault }) => fault.kind)).toEqual(['relative', 'relative', 'relative', 'relative']);
    expect(await search('')).toMatchObject({ path: null });
  });

  it.each([0o777, 0o1777, 0o757])('CONFIG-05: a directory of mode %o that anybody may write to', async (mode) => {
    await install('shared', mode);
    const own = await install('own');
    await symlink(at('shared'), at('link'));
    const { path, passedOver } = await search(pathOf('shared', 'link', 'own'));
    expect(path).toBe(own);
    expect(passedOver).toEqual([
      { path: at('shared', 'gemini'), fault: { kind: 'writable', place: at('shared') } },
      { path: at('link', 'gemini'), fault: { kind: 'writable', place: at('shared') } },
    ]);
  });

  it('PROGRAM-03: a private directory below one that anybody may write to, such as the one for temporary files', async () => {
    await install('shared/bin');
    await chmod(at('shared'), 0o1777);
    const fault = { kind: 'writable', place: at('shared') };
    expect(await search(pathOf('shared/bin'))).toMatchObject({ path: null, passedOver: [{ fault }] });
    const temporary = await mkdtemp(join(tmpdir(), 'programs-'));
    expect(await programPath(temporary).directories()).toEqual([]);
    await rm(temporary, { recursive: true });
  });

  it.each([
    'proj/node_modules/.bin',
    'cache/_npx/0123/node_modules/.bin',
    'a/NODE_MODULES/.bin',
    'b/node_modules/.bin/x',
  ])('PROGRAM-01: %s, wherever it lies', async (directory) => {
    await install(directory);
    await symlink(at(directory), at('link'));
    const { path, passedOver } = await search(pathOf(directory, 'link'));
    expect(path).toBeNull();
    expect(passedOver.map(({ fault }) => fault.kind)).toEqual(['npm-bin', 'npm-bin']);
  });

  it('PROGRAM-02: directories at or below a root, by name, by real path, and through links', async () => {
    await install('proj');
    await install('proj/tools/bin');
    await install('elsewhere/bin');
    await symlink(at('proj'), at('root-link'));
    await symlink(at('proj', 'tools', 'bin'), at('into'));
    await symlink(at('elsewhere', 'bin'), at('proj', 'out'));
    await symlink(at('proj', 'out'), at('through'));
    await symlink('proj/../proj/tools', at('dots'));
    const own = await install('project-next-to-it');
    const PATH = pathOf('proj', 'proj/tools/bin', 'root-link/tools/bin', 'into', 'proj/out', 'through', 'dots/bin');
    for (const roots of [[at('proj')], [at('root-link')], [at('root-link'), at('proj')]]) {
      const { path, passedOver } = await search([PATH, at('project-next-to-it')].join(delimiter), { roots });
      expect(path).toBe(own);
      expect(passedOver.map(({ fault }) => fault.kind)).toEqual(Array(7).fill('project'));
    }
  });

  it('PROGRAM-02: directories below the current one, and below the project that npm started us from', async () => {
    await install('current/bin');
    await install('started/bin');
    await install('npm/bin');
    await mkdir(at('current', 'deep'));
    process.chdir(at('current'));
    const environment = { INIT_CWD: at('started'), npm_config_local_prefix: at('npm') };
    const { path, passedOver } = await search(pathOf('current/bin', 'started/bin', 'npm/bin'), { environment });
    expect(path).toBeNull();
    expect(passedOver).toHaveLength(3);
  });

  it('PROGRAM-02: directories below a root that the client has named since', async () => {
    await install('proj/bin');
    const own = await install('own');
    const programs = programPath(pathOf('proj/bin', 'own'));
    expect(await programs.find('gemini')).toBe(at('proj', 'bin', 'gemini'));
    expect(programs.exclude([at('proj')])).toBe(true);
    expect(await programs.find('gemini')).toBe(own);
    expect(await programs.forChildren()).toBe(at('own'));
    expect(programs.exclude([at('proj')])).toBe(false);
  });

  it('but not the home, its parents and the root directory, which would exclude all programs', async () => {
    const own = await install('home/bin');
    const environment = { HOME: at('home') };
    for (const directory of [at('home'), root, '/']) {
      process.chdir(directory);
      expect(await search(pathOf('home/bin'), { roots: [directory], environment })).toMatchObject({ path: own });
    }
  });
});

describe('ignored programs', () => {
  it('PROGRAM-04: a link in a safe directory to a program in a project, or in one that anybody may write to', async () => {
    await install('proj/bin');
    await install('shared/bin');
    await chmod(at('shared'), 0o777);
    await mkdir(at('one'));
    await mkdir(at('two'));
    await symlink('../proj/bin/gemini', at('one', 'gemini'));
    await symlink('../shared/bin/gemini', at('two', 'gemini'));
    const { path, passedOver } = await search(pathOf('one', 'two'), { roots: [at('proj')] });
    expect(path).toBeNull();
    expect(passedOver.map(({ fault }) => fault.kind)).toEqual(['project', 'writable']);
  });

  it('PROGRAM-04: one that anybody may write to', async () => {
    await install('bin', 0o755, 0o757);
    const fault = { kind: 'writable', place: at('bin', 'gemini') };
    expect(await search(pathOf('bin'))).toMatchObject({ path: null, passedOver: [{ fault }] });
  });

  it('but not a link as npm installs it, even through its directory of links', async () => {
    await install('prefix/lib/node_modules/pkg');
    await mkdir(at('prefix', 'lib', 'node_modules', '.bin'));
    await mkdir(at('prefix', 'bin'));
    await symlink('../pkg/gemini', at('prefix', 'lib', 'node_modules', '.bin', 'gemini'));
    await symlink('../lib/node_modules/.bin/gemini', at('prefix', 'bin', 'gemini'));
    expect(await search(pathOf('prefix/bin'))).toMatchObject({ path: at('prefix', 'bin', 'gemini'), passedOver: [] });
  });
});

describe('PATH for children', () => {
  it('CONFIG-05, PROGRAM-01: keeps the order of the safe entries, and nothing else', async () => {
    await install('a');
    await install('b');
    await install('shared', 0o777);
    await install('proj/node_modules/.bin');
    const entries = [
      pathOf('proj/node_modules/.bin'),
      '.',
      pathOf('missing'),
      '',
      pathOf('b', 'shared'),
      'c',
      pathOf('a', 'b'),
    ];
    expect(await programPath(entries.join(delimiter)).forChildren()).toBe(pathOf('b', 'a'));
  });

  it.skipIf(process.platform === 'win32')(
    'PROGRAM-09: is never empty, which would mean the current directory',
    async () => {
      for (const PATH of ['', '.', '::', 'bin']) {
        expect(await programPath(PATH).forChildren()).toMatch(/^\/usr\/bin:\/bin:/);
      }
    },
  );
});
