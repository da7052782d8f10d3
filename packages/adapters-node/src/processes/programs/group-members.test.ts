import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GroupMembers } from './group-members.ts';

/** A group of this system without listed members that is no user's primary group, as `staff` is on most. */
function emptyGroup(): number {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const first = new Set(users.map((line) => line.split(':')[3]));
  const groups = readFileSync('/etc/group', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const empty = groups.find(([, , gid = '', members]) => members === '' && gid !== '0' && !first.has(gid));
  return Number(empty?.[2]);
}

describe.runIf(process.platform === 'linux')('GroupMembers', () => {
  it.each([
    ['where the files list the user', { userName: 'root' }],
    ['for a user without an entry, as in containers', { userName: null }],
  ])('a group without members is private %s', (_, options) => {
    expect(new GroupMembers(options).isPrivate(emptyGroup())).toBe(true);
  });

  it.each([
    ['where a directory service has the user', { userName: 'ada-of-the-directory' }],
    ['on macOS, where the files list no user', { userName: 'root', platform: 'darwin' as const }],
  ])('PROGRAM-11: a group that only looks empty is not private %s', (_, options) => {
    expect(new GroupMembers(options).isPrivate(emptyGroup())).toBe(false);
  });

  it('the administrator groups of macOS are private, and no others', () => {
    const ofMac = new GroupMembers({ platform: 'darwin' });
    expect([ofMac.isPrivate(0), ofMac.isPrivate(80), ofMac.isPrivate(20)]).toEqual([true, true, false]);
    expect(new GroupMembers({ userName: 'ada-of-the-directory' }).isPrivate(0)).toBe(true);
  });
});
