import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findSecretSettings } from './find-secret-settings.ts';

let directory: string;

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'settings-')));
});

afterEach(() => rm(directory, { recursive: true }));

it('HOST-M7: finds settings with tokens at any depth, with or without a dot, and through links', async () => {
  await mkdir(join(directory, 'deep/ssl'), { recursive: true });
  await mkdir(join(directory, '.ssh'));
  for (const name of ['npmrc', '.netrc', 'deep/gitconfig', 'deep/ssl/host.key', 'fstab', 'elsewhere']) {
    await writeFile(join(directory, name), '');
  }
  await symlink('elsewhere', join(directory, 'wgetrc'));
  await symlink('nowhere', join(directory, 'pgpass'));
  const found = findSecretSettings(directory).map(({ path, kind }) => `${kind} ${path.slice(directory.length + 1)}`);
  expect(found.toSorted()).toEqual([
    'directory .ssh',
    'file .netrc',
    'file deep/gitconfig',
    'file deep/ssl/host.key',
    'file elsewhere',
    'file npmrc',
  ]);
});

it('finds nothing in a missing directory', () => {
  expect(findSecretSettings(join(directory, 'missing'))).toEqual([]);
});
