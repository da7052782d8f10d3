import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallDirectory } from '@gemini-mcp/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AllowedDirectories, chooseWorkDirectory, describeWorkDirectory } from './work-directory.ts';

let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'work-place-')));
  for (const name of [
    'allowed/inner',
    'allowed-not',
    'trusted/inner',
    'allowed/a,b',
    'allowed/a:b',
    'trusted/a:b',
    'allowed/runs/id',
  ]) {
    await mkdir(join(root, name), { recursive: true });
  }
  await writeFile(join(root, 'allowed', 'file'), '');
  await symlink(join(root, 'allowed-not'), join(root, 'allowed', 'way-out'));
  await symlink(join(root, 'allowed', 'inner'), join(root, 'way-in'));
});

afterAll(() => rm(root, { recursive: true }));

function choose(name: string, { sandbox = false, ...given }: Partial<CallDirectory> & { sandbox?: boolean } = {}) {
  return chooseWorkDirectory({ path: join(root, name), isOptional: false, ...given }, sandbox, allowed());
}

function allowed(): AllowedDirectories {
  return {
    roots: [join(root, 'allowed'), join(root, 'missing')],
    trustedDirectories: [join(root, 'trusted')],
    privateDirectories: [join(root, 'gone'), join(root, 'allowed', 'runs')],
  };
}

describe('chooseWorkDirectory', () => {
  it.each([
    ['allowed', { kind: 'added', directory: 'allowed' }],
    ['allowed/inner', { kind: 'added', directory: 'allowed/inner' }],
    ['way-in', { kind: 'added', directory: 'allowed/inner' }],
    ['trusted', { kind: 'trusted', directory: 'trusted' }],
    ['trusted/inner', { kind: 'trusted', directory: 'trusted/inner' }],
  ] as const)('%s', async (name, { kind, directory }) => {
    expect(await choose(name)).toEqual({ kind, directory: join(root, directory) });
  });

  it.each([
    ['allowed/a:b', 'added'],
    ['trusted/a:b', 'trusted'],
  ] as const)('%s is shown to no container, which would take its name for two', async (name, kind) => {
    expect(await choose(name)).toMatchObject({ kind });
    expect(await choose(name, { sandbox: true })).toMatchObject({ kind: 'refused' });
  });

  it.each([
    '',
    'allowed-not',
    'allowed/way-out',
    'allowed/runs',
    'allowed/runs/id',
    'allowed/file',
    'allowed/missing',
    'missing',
  ])('refuses %j', async (name) => {
    expect(await choose(name)).toMatchObject({ kind: 'refused' });
  });

  it('refuses relative paths, and paths that the CLI would split', async () => {
    const options = { roots: ['/'], trustedDirectories: [], privateDirectories: [] };
    expect(await chooseWorkDirectory({ path: 'src', isOptional: false }, false, options)).toMatchObject({
      kind: 'refused',
    });
    expect(await choose('allowed/a,b')).toMatchObject({ kind: 'refused' });
  });

  it.each([
    ['allowed', ['allowed'], 'added'],
    ['allowed/inner', ['gone', 'allowed/inner'], 'added'],
    ['allowed/inner', ['way-in'], 'refused'],
    ['way-in', ['allowed'], 'added'],
    ['trusted/inner', ['trusted'], 'trusted'],
    ['allowed', [], 'refused'],
    ['allowed', ['allowed/inner'], 'refused'],
    ['allowed/inner/..', ['allowed/inner'], 'refused'],
    ['allowed/way-out', ['allowed'], 'refused'],
    ['allowed-not', ['allowed-not'], 'refused'],
    ['allowed/runs', ['allowed/runs'], 'refused'],
    ['allowed/inner', ['trusted', 'allowed/inn'], 'refused'],
    ['trusted', ['allowed'], 'refused'],
    ['trusted', [], 'refused'],
  ] as const)('SWAP-03: %s if a request may read below %j', async (name, roots, kind) => {
    expect(await choose(name, { roots: roots.map((one) => join(root, one)) })).toMatchObject({ kind });
  });

  it('allows nothing by itself', async () => {
    const nothing = { roots: [], trustedDirectories: [], privateDirectories: [] };
    expect(await chooseWorkDirectory({ path: root, isOptional: false }, false, nothing)).toMatchObject({
      kind: 'refused',
    });
  });
});

describe('describeWorkDirectory', () => {
  it("names a directory other than the run's first one", () => {
    expect(describeWorkDirectory({ kind: 'added', directory: '/p' })).toBe('The directory to work on is /p.');
    expect(describeWorkDirectory({ kind: 'trusted', directory: '/p' })).toBeNull();
    expect(describeWorkDirectory({ kind: 'empty' })).toBeNull();
  });

  it.each(['/p/!{touch PWN}', '/p/@{.env}', '/p/{{args}}', '/p/a\nb', `/${'p'.repeat(1_000)}`])(
    'does not name %j, which the CLI could take for something else',
    (directory) => {
      expect(describeWorkDirectory({ kind: 'added', directory })).toBeNull();
    },
  );
});
