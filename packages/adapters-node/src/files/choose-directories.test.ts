import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseDirectories, type DirectorySettings } from './choose-directories.ts';

let base: string;
const nothingSet: DirectorySettings = { workingDirectory: null, roots: [], trustedDirectories: [] };

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'choose-directories-')));
  mkdirSync(join(base, 'home', 'project'), { recursive: true });
  symlinkSync('home', join(base, 'link'));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

const choose = (directory: string, settings: Partial<DirectorySettings> = {}): ReturnType<typeof chooseDirectories> =>
  chooseDirectories(
    { ...nothingSet, ...settings },
    { currentDirectory: join(base, directory), home: join(base, 'home'), packages: [], program: 'the server' },
  );

describe('chooseDirectories', () => {
  it('uses a project below the home directory as the root', () => {
    expect(choose('home/project')).toEqual({
      workingDirectory: join(base, 'home/project'),
      roots: [],
      noRootBecause: null,
    });
  });

  it.each([
    ['home', 'is a home directory or holds home directories'],
    ['link', 'is a home directory or holds home directories'],
    ['.', 'holds your home directory'],
    ['../../../../../..', 'holds the whole file system'],
  ])('has no root in %s, and says why (ROOT-02)', (directory, reason) => {
    const started = join(base, directory);
    expect(choose(directory)).toEqual({
      workingDirectory: started,
      roots: [],
      noRootBecause: `the server was started in ${started}, which ${reason}`,
    });
  });

  it('has no root inside a package of the program', () => {
    const settings = { ...nothingSet };
    const start = { home: '/home/ada', packages: [join(base, 'home', 'project')], program: 'the server' };
    const inside = chooseDirectories(settings, { ...start, currentDirectory: join(base, 'home', 'project') });
    expect(inside.noRootBecause).toMatch(/belongs to an installed package, plugin or extension$/);
  });

  it('has only the roots that are set, and resolves names from the first (ROOT-02)', () => {
    expect(choose('home', { roots: ['/srv/a', '/srv/b'], trustedDirectories: ['/srv/t'] })).toEqual({
      workingDirectory: '/srv/a',
      roots: ['/srv/b'],
      noRootBecause: null,
    });
    expect(choose('home', { trustedDirectories: ['/srv/t', '/srv/u'] })).toEqual({
      workingDirectory: '/srv/t',
      roots: [],
      noRootBecause: null,
    });
  });

  it.each(['/', '/home'])("accepts the operator's choice: %s", (directory) => {
    expect(choose('home', { roots: [directory] })).toMatchObject({ workingDirectory: directory, noRootBecause: null });
    expect(choose('home', { workingDirectory: directory })).toMatchObject({
      workingDirectory: directory,
      noRootBecause: null,
    });
  });
});
