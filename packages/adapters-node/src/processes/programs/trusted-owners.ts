import { readFileSync } from 'node:fs';

/**
 * The users whose programs we run: root and this user. In a user namespace that has no root (Flatpak, rootless containers)
 * the files of the real root show the overflow user, so that one counts there; other users' files show it as well.
 */
export function trustedOwners(): ReadonlySet<number> {
  const owners = new Set([0, process.getuid?.() ?? 0]);
  if (!isRootMapped()) {
    owners.add(readNumber('/proc/sys/kernel/overflowuid') ?? 65_534);
  }
  return owners;
}

/** Each line is the first user id inside, the first one outside, and how many there are. */
function isRootMapped(): boolean {
  const map = readText('/proc/self/uid_map');
  return map === null || map.split('\n').some((line) => /^\s*0\s/.test(line));
}

function readNumber(path: string): number | null {
  const number = Number.parseInt(readText(path) ?? '', 10);
  return Number.isNaN(number) ? null : number;
}

/** Null where the system has no such file. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
