import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Maps each given absolute path to its real path at pinning time. */
export type PinnedPaths = ReadonlyMap<string, string>;

/**
 * Resolves the present real paths of directories, so that links created or changed later have no effect. For a missing directory, resolves
 * its nearest existing ancestor: a directory created there later counts, a link does not.
 */
export function pinPaths(paths: readonly string[]): PinnedPaths {
  return new Map(paths.map((path) => [path, findRealPath(resolve(path))]));
}

/** The real path of an existing file or directory, or the path it would have. */
export function findRealPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(findRealPath(parent), basename(path));
  }
}
