import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { GroupMembers } from './programs/group-members.ts';

/** Linux's user for all whom a namespace does not know. */
const overflowUid = 65_534;

/**
 * Says why a directory that is to be this user's alone is not, or could be exchanged by another user; null where all is well,
 * or for one that does not exist yet and may be made. Looks at the directory itself and at all above it, as they are named and
 * as they really are. A group may write to a directory above it if only root and this user are in the group, as in the rule for
 * programs. Does not report a file in the place of the directory: the code that uses it does. Reports nothing on Windows, where
 * the profile of a user is closed to others.
 */
export function findExposure(directory: string): string | null {
  if (process.platform === 'win32') {
    return null;
  }
  const own = lookAt(directory);
  if (own !== null) {
    const problem = judgeOwn(directory, own);
    if (problem !== null) {
      return problem;
    }
  }
  const parents = parentsOf(directory);
  const nearest = parents.find((path) => lookAt(path) !== null) ?? '/';
  const real = realpathSync(nearest);
  const groups = new GroupMembers();
  for (const path of new Set([...parents, real, ...parentsOf(real)])) {
    const problem = judgeParent(path, followed(path), groups);
    if (problem !== null) {
      return problem;
    }
  }
  return null;
}

function judgeOwn(path: string, stats: Stats): string | null {
  if (stats.isSymbolicLink()) {
    return `${path} is a link. Name the directory that it leads to`;
  }
  if (stats.uid !== process.getuid?.()) {
    return `${path} belongs to another user`;
  }
  return (stats.mode & 0o022) === 0
    ? null
    : `${path} can be written to by other users. Close it with: chmod 700 ${path}`;
}

/** A user who can write to a directory can exchange what lies in it, except what belongs to others in a sticky one such as /tmp. */
function judgeParent(path: string, stats: Stats | null, groups: GroupMembers): string | null {
  if (stats === null) {
    return null;
  }
  const { uid, gid, mode } = stats;
  if (uid !== 0 && uid !== process.getuid?.() && !isUnmapped(uid)) {
    return `${path}, above it, belongs to another user`;
  }
  if ((mode & 0o1000) !== 0) {
    return null;
  }
  if ((mode & 0o002) !== 0) {
    return `${path} can be written to by other users, and so they could exchange what is below`;
  }
  return (mode & 0o020) === 0 || groups.isPrivate(gid)
    ? null
    : `${path} can be written to by the group ${gid}, which may have other members, and so they could exchange what is below`;
}

/** In a user namespace without a root of its own, files of the real root show the overflow user. */
function isUnmapped(uid: number): boolean {
  return uid === overflowUid && !/^\s*0\s+0\s+4294967295\s*$/.test(readUserMap());
}

function readUserMap(): string {
  try {
    return readFileSync('/proc/self/uid_map', 'latin1');
  } catch {
    return '0 0 4294967295';
  }
}

function parentsOf(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...parentsOf(parent)];
}

/** Null where nothing is, or nothing can be seen. */
function lookAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

function followed(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
