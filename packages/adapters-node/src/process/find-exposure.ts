import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Linux's user for all whom a namespace does not know. */
const overflowUid = 65_534;

/**
 * Says why a directory that is to be this user's alone is not, or could be exchanged by somebody else; null where all is well,
 * or for one that is not there yet and may be made. Looks at the directory itself and at all above it, as they are named and as
 * they really are. Says nothing of what is no directory, which whoever uses it says, and nothing of Windows, where the profile of a user is closed to others.
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
  for (const path of new Set([...parents, real, ...parentsOf(real)])) {
    const problem = judgeParent(path, followed(path));
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

/** Whoever can write to a directory can exchange what lies in it, but for what is others' in a sticky one such as /tmp. */
function judgeParent(path: string, stats: Stats | null): string | null {
  if (stats === null) {
    return null;
  }
  const { uid, gid, mode } = stats;
  if (uid !== 0 && uid !== process.getuid?.() && !isUnmapped(uid)) {
    return `${path}, above it, belongs to another user`;
  }
  const isSticky = (mode & 0o1000) !== 0;
  const isOwnGroup = gid === 0 || gid === process.getgid?.();
  const isOpen = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !isOwnGroup);
  return isOpen && !isSticky
    ? `${path} can be written to by other users, and so they could exchange what is below`
    : null;
}

/** In a namespace of users without a root of its own, what is root's looks like nobody's. */
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
