import { chmod, chown, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findExposure } from './find-exposure.ts';

let root: string;
let state: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'exposure-')));
  state = join(root, 'home', 'state');
  await mkdir(state, { recursive: true, mode: 0o700 });
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

describe.skipIf(process.platform === 'win32')('findExposure', () => {
  it("STATE-03: finds nothing wrong with this user's directory, one in a sticky directory, or a missing one", async () => {
    expect(findExposure(state)).toBeNull();
    expect(findExposure(join(state, 'not', 'yet'))).toBeNull();
    await chmod(join(root, 'home'), 0o1777);
    expect(findExposure(state)).toBeNull();
  });

  it('STATE-03: allows reading by others, which the callers that need more check', async () => {
    await chmod(state, 0o755);
    expect(findExposure(state)).toBeNull();
  });

  it('STATE-03: names a place that others can write to, the directory or one above it', async () => {
    await chmod(state, 0o702);
    expect(findExposure(state)).toBe(`${state} can be written to by other users. Close it with: chmod 700 ${state}`);
    await chmod(state, 0o700);
    await chmod(join(root, 'home'), 0o707);
    const problem = `${join(root, 'home')} can be written to by other users, so they could exchange its contents`;
    expect(findExposure(state)).toBe(problem);
    expect(findExposure(join(state, 'not', 'yet'))).toBe(problem);
  });

  it.runIf(process.getuid?.() === 0)(
    'STATE-03: lets a group write to a parent only if its sole members are root and this user',
    async () => {
      const home = join(root, 'home');
      await chmod(home, 0o770);
      const groups = await readGroups();
      for (const { gid, isEmpty } of groups) {
        await chown(home, 0, gid);
        expect([gid, findExposure(state)]).toEqual([
          gid,
          isEmpty
            ? null
            : `${home} can be written to by the group ${gid}, which may have other members, so they could exchange its contents`,
        ]);
      }
      expect(new Set(groups.map(({ isEmpty }) => isEmpty))).toEqual(new Set([true, false]));
    },
  );

  it('STATE-03: checks the parents by real path and by name', async () => {
    await symlink(join(root, 'home'), join(root, 'link'));
    expect(findExposure(join(root, 'link', 'state'))).toBeNull();
    await mkdir(join(root, 'open'));
    await symlink(join(root, 'home'), join(root, 'open', 'link'));
    await chmod(join(root, 'open'), 0o777);
    expect(findExposure(join(root, 'open', 'link', 'state'))).toContain(`${join(root, 'open')} can be written to`);
  });

  it('STATE-03: rejects a link, and leaves anything that is not a directory to the caller', async () => {
    await symlink(state, join(root, 'link'));
    expect(findExposure(join(root, 'link'))).toContain('is a link');
    await writeFile(join(root, 'file'), '');
    expect(findExposure(join(root, 'file'))).toBeNull();
  });
});

/** The groups of this system except root's, and one that the system does not list. A group without users is empty. */
async function readGroups(): Promise<readonly { readonly gid: number; readonly isEmpty: boolean }[]> {
  const [groups = [], users = []] = await Promise.all(
    ['/etc/group', '/etc/passwd'].map(async (path) =>
      (await readFile(path, 'utf8')).split('\n').flatMap((line) => (line === '' ? [] : [line.split(':')])),
    ),
  );
  const primary = new Set(users.map(([, , , gid]) => gid));
  const listed = groups.map(([, , gid, members]) => ({
    gid: Number(gid),
    isEmpty: members === '' && !primary.has(gid),
  }));
  return [...listed.filter(({ gid }) => gid !== 0), { gid: 54_321, isEmpty: false }];
}
