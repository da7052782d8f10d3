import { expect, it } from 'vitest';
import { projectMounts } from './project-mounts.ts';
import type { SandboxPlace, SandboxView } from './sandbox-view.ts';

const place: SandboxPlace = {
  ...{ temporary: '/s/tmp', home: '/s/home', lockedFile: '/s/lf', lockedDirectory: '/s/ld', emptyFile: '/s/ef' },
  ...{ emptyDirectory: '/s/ed', passwd: '/s/passwd', group: '/s/group', unseenNames: '/s/names' },
};

function mounts(view: Partial<SandboxView>): readonly string[] {
  const whole = { writable: ['/p'], toolPaths: [], guarded: [], held: [], masked: [], network: false, place, ...view };
  return projectMounts(whole).map(({ path, source, isWritable }) =>
    [source.type === 'cover' ? source.file : source.type, isWritable ? 'rw' : 'ro', path].join(' '),
  );
}

it('mounts each directory between a root and a protected place, the shallow ones first', () => {
  expect(mounts({ guarded: ['/p/a/b/.git'], masked: [{ path: '/p/a/.env', kind: 'file' }] })).toEqual([
    'place rw /p',
    'place rw /p/a',
    'place rw /p/a/b',
    '/s/lf ro /p/a/.env',
    'place ro /p/a/b/.git',
  ]);
});

it('mounts directories that lead to a held name and to tools in a root', () => {
  expect(mounts({ held: [{ path: '/p/w/.npmrc', kind: 'file' }], toolPaths: ['/p/opt/t', '/opt/u'] })).toEqual([
    'place rw /p',
    'place rw /p/opt',
    'place rw /p/w',
    'place ro /opt/u',
    'place ro /p/opt/t',
    '/s/ef ro /p/w/.npmrc',
  ]);
});

it('mounts no root inside another one, and nothing in a masked directory', () => {
  const masked = [
    { path: '/p/state', kind: 'directory' },
    { path: '/p/state/x/.env', kind: 'file' },
  ] as const;
  expect(mounts({ writable: ['/p', '/p/a/sub'], masked, guarded: ['/p/state/.git'] })).toEqual([
    'place rw /p',
    '/s/ld ro /p/state',
  ]);
});

it('covers a secret in a read-only directory without mounting the directories between them', () => {
  expect(mounts({ guarded: ['/p/.github'], masked: [{ path: '/p/.github/x/id_rsa', kind: 'file' }] })).toEqual([
    'place rw /p',
    'place ro /p/.github',
    '/s/lf ro /p/.github/x/id_rsa',
  ]);
});

it('reaches a project in /tmp or in the home through a directory in memory', () => {
  expect(mounts({ writable: ['/tmp/a/b/p'] })).toEqual(['memory ro /tmp/a', 'place rw /tmp/a/b/p']);
  expect(mounts({ writable: ['/tmp/p'] })).toEqual(['place rw /tmp/p']);
  expect(mounts({ writable: ['/home/gemini/a/p', '/tmp'] })).toContain('memory ro /home/gemini/a');
});
