import { readFileSync } from 'node:fs';

/**
 * The users whose programs we run: root and this user. In a user namespace without root (Flatpak, rootless containers) the files of the
 * real root appear to belong to the overflow user, so it is trusted there; other users' files appear to belong to it as well.
 */
export function trustedOwners(): ReadonlySet<number> {
  const owners = new Set([0, process.getuid?.() ?? 0]);
  if (!isRootMapped()) {
    owners.add(readNumber('/proc/sys/kernel/overflowuid') ?? 65_534);
  }
  return owners;
}

/** Each line holds the first user id inside, the first one outside, and their count. */
function isRootMapped(): boolean {
  const map = readText('/proc/self/uid_map');
  return map === null || map.split('\n').some((line) => /^\s*0\s/.test(line));
}

function readNumber(path: string): number | null {
  const number = Number.parseInt(readText(path) ?? '', 10);
  return Number.isNaN(number) ? null : number;
}

/** Null if the system has no such file. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
