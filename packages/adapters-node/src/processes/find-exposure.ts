import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { GroupMembers } from './programs/group-members.ts';

/** The Linux user id that stands for all users unknown to a namespace. */
const overflowUid = 65_534;

/**
 * Explains why a directory that must be private to this user is not, or why another user could exchange it; null if it is safe, or does not
 * exist yet and may be created. Checks the directory and all its parents, both as named and by real path. A group may write to a parent
 * only if its sole members are root and this user, as in the rule for programs. Does not report a file in the place of the directory: the
 * code that uses it does. Reports nothing on Windows, where a user's profile is closed to others.
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
    return `${path} is a link. Use the directory that it points to`;
  }
  if (stats.uid !== process.getuid?.()) {
    return `${path} belongs to another user`;
  }
  return (stats.mode & 0o022) === 0
    ? null
    : `${path} can be written to by other users. Close it with: chmod 700 ${path}`;
}

/** A user who can write to a directory can exchange its entries, except those of others in a sticky directory such as /tmp. */
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
    return `${path} can be written to by other users, so they could exchange its contents`;
  }
  return (mode & 0o020) === 0 || groups.isPrivate(gid)
    ? null
    : `${path} can be written to by the group ${gid}, which may have other members, so they could exchange its contents`;
}

/** In a user namespace without its own root, files of the real root appear to belong to the overflow user. */
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

/** Null if the path is missing or cannot be inspected. */
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
