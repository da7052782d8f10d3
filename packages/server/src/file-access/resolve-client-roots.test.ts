import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveClientRoots } from './resolve-client-roots.ts';

let base: string;
const uriOf = (path: string): string => pathToFileURL(join(base, path)).href;

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'client-roots-')));
  mkdirSync(join(base, 'home', 'project ü #1'), { recursive: true });
  mkdirSync(join(base, 'other'));
  writeFileSync(join(base, 'file.txt'), '');
  symlinkSync('other', join(base, 'link'));
  symlinkSync('home', join(base, 'link-to-home'));
  symlinkSync('/', join(base, 'link-to-all'));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

const resolved = async (uris: readonly string[]): Promise<readonly string[]> =>
  (await resolveClientRoots(uris, join(base, 'home'))).directories;

describe('resolveClientRoots', () => {
  it('takes directories by their real paths, each once (ROOT-03)', async () => {
    const uris = [uriOf('home/project ü #1'), uriOf('link'), uriOf('other'), `file://localhost${join(base, 'other')}`];
    expect(await resolveClientRoots(uris, join(base, 'home'))).toEqual({
      directories: [join(base, 'home/project ü #1'), join(base, 'other')],
      refused: 0,
    });
  });

  it.each([
    ['the top of the file system', () => 'file:///'],
    ['the home directory', () => uriOf('home')],
    ['what holds the home directory', () => pathToFileURL(base).href],
    ['a link to the home directory', () => uriOf('link-to-home')],
    ['a link to everything', () => uriOf('link-to-all')],
    ['dots that lead to the home directory', () => `${uriOf('home')}/project/..`],
    ['encoded dots that lead there', () => `${uriOf('other')}/%2e%2e/home`],
    ['encoded dots with an encoded slash', () => `${uriOf('other')}/%2e%2e%2fother`],
    ['a file', () => uriOf('file.txt')],
    ['nothing', () => uriOf('missing')],
    ['a NUL', () => `${uriOf('other')}%00`],
    ['bytes that are no UTF-8', () => `${uriOf('other')}%ff`],
    ['another host', () => `file://host${join(base, 'other')}`],
    ['no slashes', () => `file:${join(base, 'other')}`],
    ['a relative name', () => 'file:other'],
    ['a path', () => join(base, 'other')],
    ['another protocol', () => `http://localhost${join(base, 'other')}`],
    ['a query', () => `${uriOf('other')}?x`],
    ['a fragment', () => `${uriOf('other')}#x`],
    ['an empty text', () => ''],
    ['no URI', () => 'file://%'],
  ])('leaves out %s (ROOT-03)', async (_, uri) => {
    expect(await resolveClientRoots([uri()], join(base, 'home'))).toEqual({ directories: [], refused: 1 });
  });

  it('looks at every root, also after bad ones', async () => {
    expect(await resolved(['file:///', 'x', uriOf('other')])).toEqual([join(base, 'other')]);
  });
});
