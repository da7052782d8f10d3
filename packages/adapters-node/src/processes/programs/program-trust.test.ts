import { chmod, chown, lchown, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSafeDirectory } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProgramTrust } from './program-trust.ts';

/** A user and a group that no machine has. */
const strangerId = 54_321;

let root: string;

beforeEach(async () => {
  root = await makeSafeDirectory();
  await mkdir(join(root, 'a', 'b', 'bin'), { recursive: true });
  await writeFile(join(root, 'a', 'b', 'bin', 'tool'), '', { mode: 0o755 });
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

const at = (...names: readonly string[]): string => join(root, ...names);
const judge = new ProgramTrust({ projects: [] });
const fresh = (): ProgramTrust => new ProgramTrust({ projects: [] });

describe.skipIf(process.platform === 'win32')('ProgramTrust', () => {
  it('finds no fault if everything belongs to root and to this user', async () => {
    expect(await judge.judgeDirectory(at('a', 'b', 'bin'))).toBeNull();
    expect(await judge.judgeProgram(at('a', 'b', 'bin', 'tool'))).toBeNull();
    expect(await judge.judgeDirectory('/usr/bin')).toBeNull();
  });

  it('PROGRAM-03: rejects any other owner', async () => {
    const strict = new ProgramTrust({ projects: [], owners: new Set([strangerId]) });
    expect(await strict.judgeDirectory(at('a'))).toEqual({ kind: 'owner', place: '/', uid: 0 });
  });

  it.runIf(process.getuid?.() === 0).each([
    ['the directory', ['a', 'b', 'bin']],
    ['one above it', ['a', 'b']],
    ['one further above', ['a']],
    ['the program', ['a', 'b', 'bin', 'tool']],
  ])('PROGRAM-03: finds another owner of %s', async (_, names) => {
    await chown(at(...names), strangerId, 0);
    expect(await fresh().judgeProgram(at('a', 'b', 'bin', 'tool'))).toEqual({
      kind: 'owner',
      place: at(...names),
      uid: strangerId,
    });
  });

  it.runIf(process.getuid?.() === 0)('PROGRAM-03: finds another owner of a link on the way', async () => {
    await symlink(at('a', 'b'), at('link'));
    await lchown(at('link'), strangerId, 0);
    expect(await fresh().judgeDirectory(at('link', 'bin'))).toMatchObject({ kind: 'owner', place: at('link') });
  });

  it.runIf(process.getuid?.() === 0)('PROGRAM-03: finds a group that may write and has other members', async () => {
    await chown(at('a', 'b'), 0, strangerId);
    await chmod(at('a', 'b'), 0o775);
    expect(await fresh().judgeDirectory(at('a', 'b', 'bin'))).toEqual({ kind: 'writable', place: at('a', 'b') });
    // As in the store of Nix: the sticky bit keeps the contents for their owners, but every member of the group may add to it.
    await chmod(at('a', 'b'), 0o1775);
    expect(await fresh().judgeDirectory(at('a', 'b', 'bin'))).toBeNull();
    expect(await fresh().judgeDirectory(at('a', 'b'))).toMatchObject({ kind: 'writable' });
  });

  it('finds no fault with a private group, as systems create it for each user', async () => {
    await chown(at('a', 'b'), process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    await chmod(at('a', 'b'), 0o775);
    expect(await fresh().judgeDirectory(at('a', 'b', 'bin'))).toBeNull();
  });

  it("PROGRAM-03: finds a world-writable directory on a link's path, sticky or not", async () => {
    await mkdir(at('shared'));
    await chmod(at('shared'), 0o1777);
    await symlink(at('a', 'b', 'bin'), at('shared', 'hop'));
    await symlink('shared/hop', at('link'));
    expect(await fresh().judgeDirectory(at('link'))).toEqual({ kind: 'writable', place: at('shared') });
  });

  it.each([
    ['that is missing', 'missing'],
    ['of links that form a loop', 'circle'],
    ['through a file', 'a/b/bin/tool/x'],
  ])('cannot inspect a path %s', async (_, name) => {
    await symlink('circle', at('circle'));
    expect(await judge.judgeDirectory(at(name))).toEqual({ kind: 'unreadable', place: at(name) });
  });
});
