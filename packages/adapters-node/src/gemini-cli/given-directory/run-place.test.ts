import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolAccess } from '@gemini-mcp/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choosePlace, describePlace, type RunPlaceOptions } from './run-place.ts';

let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'run-place-')));
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

function choose(name: string | null, tools: ToolAccess = 'read-only', sandbox = false) {
  const directory = name === null ? null : join(root, name);
  return choosePlace({ directory, tools, sandbox }, optionsOf());
}

function optionsOf(): RunPlaceOptions {
  return {
    roots: [join(root, 'allowed'), join(root, 'missing')],
    trustedDirectories: [join(root, 'trusted')],
    privateDirectories: [join(root, 'gone'), join(root, 'allowed', 'runs')],
  };
}

describe('choosePlace', () => {
  it('without a directory there is none', async () => {
    expect(await choose(null)).toEqual({ kind: 'nowhere' });
  });

  it.each([
    ['allowed', 'read-only', { kind: 'copy', directory: 'allowed' }],
    ['allowed/inner', 'read-only', { kind: 'copy', directory: 'allowed/inner' }],
    ['way-in', 'read-only', { kind: 'copy', directory: 'allowed/inner' }],
    ['allowed', 'everything', { kind: 'beside', directory: 'allowed' }],
    ['trusted', 'everything', { kind: 'trusted', directory: 'trusted' }],
    ['trusted/inner', 'none', { kind: 'trusted', directory: 'trusted/inner' }],
  ] as const)('%s for %s', async (name, tools, { kind, directory }) => {
    expect(await choose(name, tools)).toEqual({ kind, directory: join(root, directory) });
  });

  it.each([
    ['allowed/a:b', 'everything', 'beside'],
    ['trusted/a:b', 'read-only', 'trusted'],
  ] as const)('%s is shown to no container, which would take its name for two', async (name, tools, kind) => {
    expect(await choose(name, tools)).toMatchObject({ kind });
    expect(await choose(name, tools, true)).toMatchObject({ kind: 'refused' });
    expect(await choose('allowed/a:b', 'read-only', true)).toMatchObject({ kind: 'copy' });
  });

  it.each(['none', 'web-search'] as const)('tools that read nothing need no copy: %s', async (tools) => {
    expect(await choose('allowed', tools)).toEqual({ kind: 'nowhere' });
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
    expect(await choose(name, 'none')).toMatchObject({ kind: 'refused' });
  });

  it('refuses what is not absolute, and what the CLI would take for two', async () => {
    const options = { roots: ['/'], trustedDirectories: [], privateDirectories: [] };
    const settings = { directory: 'src', tools: 'read-only', sandbox: false } as const;
    expect(await choosePlace(settings, options)).toMatchObject({ kind: 'refused' });
    expect(await choose('allowed/a,b', 'everything')).toMatchObject({ kind: 'refused' });
    expect(await choose('allowed/a,b', 'read-only')).toMatchObject({ kind: 'copy' });
  });

  it.each([
    ['allowed', ['allowed'], 'copy'],
    ['allowed/inner', ['gone', 'allowed/inner'], 'copy'],
    ['allowed/inner', ['way-in'], 'refused'],
    ['way-in', ['allowed'], 'copy'],
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
  ] as const)('SWAP-03: %s where a request may have what is below %j', async (name, roots, kind) => {
    const settings = { directory: join(root, name), tools: 'read-only', sandbox: false } as const;
    const own = roots.map((one) => join(root, one));
    expect(await choosePlace({ ...settings, roots: own }, optionsOf())).toMatchObject({ kind });
  });

  it('allows nothing by itself', async () => {
    const options = { roots: [], trustedDirectories: [], privateDirectories: [] };
    const settings = { directory: root, tools: 'none', sandbox: false } as const;
    expect(await choosePlace(settings, options)).toMatchObject({ kind: 'refused' });
  });
});

describe('describePlace', () => {
  it('tells where the names that a caller knows lead', () => {
    expect(describePlace({ kind: 'copy', directory: '/p/a b' })).toContain('a copy of the directory /p/a b ');
    expect(describePlace({ kind: 'beside', directory: '/p' })).toBe('The directory to work on is /p.');
    expect(describePlace({ kind: 'trusted', directory: '/p' })).toBeNull();
    expect(describePlace({ kind: 'nowhere' })).toBeNull();
  });

  it.each(['/p/!{touch PWN}', '/p/@{.env}', '/p/{{args}}', '/p/a\nb', `/${'p'.repeat(1_000)}`])(
    'tells nothing of %j, which the CLI could take for something else',
    (directory) => {
      expect(describePlace({ kind: 'copy', directory })).toBeNull();
    },
  );
});
