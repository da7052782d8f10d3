import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { join, relative } from 'node:path';

export type SnapshotEntry = {
  /** Kind, mode bits, and content or target: two texts differ if anything of that does. */
  readonly state: string;
  readonly isDirectory: boolean;
  readonly isLink: boolean;
  /** Canaries in the content. */
  readonly canaries: readonly string[];
};

/** The entries below a directory, by path relative to it. */
export type TreeSnapshot = ReadonlyMap<string, SnapshotEntry>;

const canary = /CANARY-[a-z]+-\d+/g;

/** Looks at everything below a directory that this user may look at, and follows no link. With `times`, a change of a time or of hard links differs too. */
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
      isLink: stats.isSymbolicLink(),
      canaries: canariesIn(content),
    });
    waiting.push(...(stats.isDirectory() ? namesIn(path).map((name) => join(path, name)) : []));
  }
  return found;
}

/** Longer than a canary, which may begin in one slice and end in the next. */
const overlapBytes = 100;
/** Node makes no text longer than 512 MiB. */
const sliceBytes = 67_108_864;

function canariesIn(content: Buffer): readonly string[] {
  const found = new Set<string>();
  for (let start = 0; start < content.length; start += sliceBytes) {
    for (const one of content.toString('latin1', start, start + sliceBytes + overlapBytes).match(canary) ?? []) {
      found.add(one);
    }
  }
  return [...found];
}

/** Paths whose state differs. */
export function differingPaths(before: TreeSnapshot, after: TreeSnapshot): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path)?.state !== after.get(path)?.state);
}

function namesIn(directory: string): readonly string[] {
  return unlessClosed(() => readdirSync(directory)) ?? [];
}

function unlessClosed<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') {
      return null;
    }
    throw error;
  }
}

function contentOf(path: string, stats: Stats): Buffer {
  if (stats.isSymbolicLink()) {
    return Buffer.from(readlinkSync(path));
  }
  return (stats.isFile() ? unlessClosed(() => readFileSync(path)) : null) ?? Buffer.alloc(0);
}
