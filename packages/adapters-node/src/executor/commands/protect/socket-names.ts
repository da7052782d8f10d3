import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * Last names of the paths at which programs in this network namespace have Unix sockets: the kernel tells a path as it was bound, which may be
 * relative, or renamed above since. Null if it tells none. Never throws.
 */
export function readSocketNames(): ReadonlySet<string> | null {
  try {
    const lines = readFileSync('/proc/net/unix', 'utf8').split('\n');
    return new Set(lines.flatMap((line) => pathOf(line) ?? []).map((path) => basename(path)));
  } catch {
    return null;
  }
}

/** After seven fields. A name that begins with `@` is no path. */
function pathOf(line: string): string | null {
  return /^(?:\S+ +){7}([^@].*)$/.exec(line)?.[1] ?? null;
}
