import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { join, relative } from 'node:path';

type SnapshotEntry = {
  /** Kind, mode bits, and content or target: two texts differ if anything of that does. */
  readonly state: string;
  readonly isDirectory: boolean;
  /** Canaries in the content. */
  readonly canaries: readonly string[];
};

/** What is below a directory, by path relative to it. */
export type TreeSnapshot = ReadonlyMap<string, SnapshotEntry>;

const canary = /CANARY-[a-z]+-\d+/g;

/** Looks at everything below a directory, and follows no link. With `times`, a change of a time or of hard links differs too. */
export function takeSnapshot(directory: string, { times = false }: { readonly times?: boolean } = {}): TreeSnapshot {
  const found = new Map<string, SnapshotEntry>();
  const waiting = [directory];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const path = at;
    const stats = lstatSync(path);
    const content = contentOf(path, stats);
    const hash = createHash('sha256').update(content).digest('hex');
    const more = times ? ` ${stats.mtimeMs} ${stats.ino} ${stats.nlink}` : '';
    found.set(relative(directory, path) || '.', {
      state: `${stats.mode.toString(8)} ${stats.isDirectory() ? '' : hash}${more}`,
      isDirectory: stats.isDirectory(),
      canaries: content.toString('latin1').match(canary) ?? [],
    });
    waiting.push(...(stats.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : []));
  }
  return found;
}

/** Paths whose state differs. */
export function differingPaths(before: TreeSnapshot, after: TreeSnapshot): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path)?.state !== after.get(path)?.state);
}

function contentOf(path: string, stats: Stats): Buffer {
  if (stats.isSymbolicLink()) {
    return Buffer.from(readlinkSync(path));
  }
  return stats.isFile() ? readFileSync(path) : Buffer.alloc(0);
}
