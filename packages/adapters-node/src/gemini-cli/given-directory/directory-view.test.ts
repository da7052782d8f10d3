import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolAccess } from '@gemini-mcp/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AllowedDirectories, chooseView, describeView } from './directory-view.ts';

let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'directory-view-')));
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
  return chooseView({ directory, tools, sandbox }, optionsOf());
}

function optionsOf(): AllowedDirectories {
  return {
    roots: [join(root, 'allowed'), join(root, 'missing')],
    trustedDirectories: [join(root, 'trusted')],
    privateDirectories: [join(root, 'gone'), join(root, 'allowed', 'runs')],
  };
}

describe('chooseView', () => {
  it('without a directory there is none', async () => {
    expect(await choose(null)).toEqual({ kind: 'none' });
  });

  it.each([
    ['allowed', 'read-only', { kind: 'copy', directory: 'allowed' }],
    ['allowed/inner', 'read-only', { kind: 'copy', directory: 'allowed/inner' }],
    ['way-in', 'read-only', { kind: 'copy', directory: 'allowed/inner' }],
    ['allowed', 'everything', { kind: 'added', directory: 'allowed' }],
    ['trusted', 'everything', { kind: 'trusted', directory: 'trusted' }],
    ['trusted/inner', 'none', { kind: 'trusted', directory: 'trusted/inner' }],
  ] as const)('%s for %s', async (name, tools, { kind, directory }) => {
    expect(await choose(name, tools)).toEqual({ kind, directory: join(root, directory) });
  });

  it.each([
    ['allowed/a:b', 'everything', 'added'],
    ['trusted/a:b', 'read-only', 'trusted'],
  ] as const)('%s is shown to no container, which would take its name for two', async (name, tools, kind) => {
    expect(await choose(name, tools)).toMatchObject({ kind });
    expect(await choose(name, tools, true)).toMatchObject({ kind: 'refused' });
    expect(await choose('allowed/a:b', 'read-only', true)).toMatchObject({ kind: 'copy' });
  });

  it.each(['none', 'web-search'] as const)('tools that read nothing need no copy: %s', async (tools) => {
    expect(await choose('allowed', tools)).toEqual({ kind: 'none' });
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
    expect(await chooseView(settings, options)).toMatchObject({ kind: 'refused' });
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
    expect(await chooseView({ ...settings, roots: own }, optionsOf())).toMatchObject({ kind });
  });

  it('allows nothing by itself', async () => {
    const options = { roots: [], trustedDirectories: [], privateDirectories: [] };
    const settings = { directory: root, tools: 'none', sandbox: false } as const;
    expect(await chooseView(settings, options)).toMatchObject({ kind: 'refused' });
  });
});

describe('describeView', () => {
  it('tells where the names that a caller knows lead', () => {
    expect(describeView({ kind: 'copy', directory: '/p/a b' })).toContain('a copy of the directory /p/a b ');
    expect(describeView({ kind: 'added', directory: '/p' })).toBe('The directory to work on is /p.');
    expect(describeView({ kind: 'trusted', directory: '/p' })).toBeNull();
    expect(describeView({ kind: 'none' })).toBeNull();
  });

  it.each(['/p/!{touch PWN}', '/p/@{.env}', '/p/{{args}}', '/p/a\nb', `/${'p'.repeat(1_000)}`])(
    'tells nothing of %j, which the CLI could take for something else',
    (directory) => {
      expect(describeView({ kind: 'copy', directory })).toBeNull();
    },
  );
});
