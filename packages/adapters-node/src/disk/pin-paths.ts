import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Real paths by the absolute paths that were given for them, as they were when they were pinned. */
export type PinnedPaths = ReadonlyMap<string, string>;

/**
 * Finds where directories really lie now, so that no link that is made or changed later leads anywhere else. Of one that
 * does not exist, the nearest directory above it that does is resolved: a directory that is made there later counts, a
 * link does not.
 */
export function pinPaths(paths: readonly string[]): PinnedPaths {
  return new Map(paths.map((path) => [path, findRealPath(resolve(path))]));
}

/** The real path of what exists, and otherwise where it would lie. */
export function findRealPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(findRealPath(parent), basename(path));
  }
}
