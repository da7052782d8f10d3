import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { pathOfDescriptor } from '../../../disk/descriptor-paths.ts';
import { HeldDirectory } from '../../../disk/held-directory.ts';
import { chooseDescriptorProof, closeDescriptor, openVerified } from '../../../disk/open-verified.ts';
import type { RealRoots } from '../../../disk/real-roots.ts';
import { errorCode } from '../../../processes/error-code.ts';
import { entryPath } from '../../../processes/path-containment.ts';
import { heldNames } from '../../commands/protect/held-names.ts';
import { openParent } from '../open-parent.ts';
import { isClosedMode, reopenEntry } from '../stat-entry.ts';
import type { TreeScan } from './scan-tree.ts';

const proof = chooseDescriptorProof();

/** Distinguishes states of a place without reading it. No program can set the time of the last change (`ctimeMs`). */
type Stamp = Readonly<Pick<Stats, 'ino' | 'size' | 'mode' | 'mtimeMs' | 'ctimeMs'>>;

export type StampScan = {
  /** The stamps of all unwatched places, by real path. */
  readonly stamps: ReadonlyMap<string, Stamp>;
  readonly isComplete: boolean;
  /** The real paths of closed directories that were reopened. */
  readonly reopened: readonly string[];
};

export type StampScanOptions = {
  readonly directories: readonly string[];
  /** The directories in which names are held free while commands run. */
  readonly tops: ReadonlySet<string>;
  readonly roots: RealRoots;
  /** The watched paths, which need no stamps. */
  readonly watched: TreeScan['places'];
  /** Directories of ours that were open in this scan and are closed to us now are reopened; none if null. */
  readonly earlier: StampScan | null;
  readonly maxEntries?: number;
};

const usualMaxEntries = 300_000;

/** Linux does not report the path of an open file if it has this length or more. */
const maxPathBytes = 4_096;

/** The time to work before yielding to others. */
const sliceMs = 8;

/** Stamps everything that is not watched, including repositories. Does not follow links. Never rejects. */
export async function scanStamps(options: StampScanOptions): Promise<StampScan> {
  const scan = new Scan(options);
  for (const directory of options.directories) {
    await scan.walk(directory);
  }
  return scan;
}

class Scan implements StampScan {
  readonly stamps = new Map<string, Stamp>();
  isComplete = true;
  readonly reopened: string[] = [];
  readonly #options: StampScanOptions;
  #entriesLeft: number;
  #sliceEndsAt = performance.now() + sliceMs;

  constructor(options: StampScanOptions) {
    this.#options = options;
    this.#entriesLeft = options.maxEntries ?? usualMaxEntries;
  }

  async walk(directory: string): Promise<void> {
    this.#isDirectory(directory, directory);
    const held = HeldDirectory.open({ path: directory, roots: this.#options.roots, proof });
    if (!(held instanceof HeldDirectory)) {
      this.isComplete = false;
      return;
    }
    try {
      // Breadth-first, so that shallow entries are seen before a limit is reached. The list grows during the loop.
      const waiting = [directory];
      for (const path of waiting) {
        this.#lookThrough(held, path, waiting);
        await this.#makeWay();
      }
    } finally {
      held.release();
    }
  }

  #lookThrough(held: HeldDirectory, directory: string, waiting: string[]): void {
    const names = this.#entriesLeft > 0 ? namesIn(directory, held, this.#options.roots) : null;
    this.isComplete &&= this.#entriesLeft > 0 && Buffer.byteLength(directory) < maxPathBytes;
    // Computed once for all entries: building such a path takes as long as inspecting the place.
    const at = held.pathOf(directory);
    for (const name of names ?? []) {
      this.#entriesLeft -= 1;
      const path = entryPath(directory, name);
      if (this.#isDirectory(path, `${at}/${name}`) && !isObjectStore(directory, name)) {
        waiting.push(path);
      }
    }
    if (names?.some((name) => name.includes('\uFFFD')) === true) {
      this.#stampRawNames(at, directory);
    }
  }

  /** Stamps entries whose names are not UTF-8: no text path leads to them, so nothing in them is watched or scanned. */
  #stampRawNames(at: string, directory: string): void {
    for (const name of rawNamesIn(at)) {
      const text = name.toString('utf8');
      const stats = Buffer.from(text).equals(name) ? null : statsAt(Buffer.concat([Buffer.from(`${at}/`), name]));
      if (stats !== null) {
        this.#stamp(entryPath(directory, escapeBytes(name)), stats);
      }
    }
  }

  /** Stamps a place that is neither watched nor in one of our own directories. */
  #isDirectory(path: string, at: string): boolean {
    const { watched, roots, tops } = this.#options;
    const known = watched.get(path);
    const stats = known === undefined ? this.#look(path, at) : null;
    const isDirectory = known?.kind === 'directory' || stats?.isDirectory() === true;
    if (isDirectory && !roots.contains(path)) {
      return false;
    }
    if (stats !== null && !(isHeld(basename(path), stats) && tops.has(dirname(path)))) {
      this.#stamp(path, stats);
    }
    return isDirectory;
  }

  /** Null for a place that is gone or cannot be inspected. */
  #look(path: string, at: string): Stats | null {
    try {
      const stats = lstatSync(at);
      if (!this.#isToReopen(path, stats) || !reopenEntry(at)) {
        return stats;
      }
      this.reopened.push(path);
      return lstatSync(at);
    } catch (error) {
      this.isComplete &&= errorCode(error) !== 'ENAMETOOLONG';
      return null;
    }
  }

  /** Judged by the mode alone: opening it will show its owner. */
  #isToReopen(path: string, stats: Stats): boolean {
    const before = this.#options.earlier?.stamps.get(path);
    const wasClosed = before !== undefined && isClosedMode(BigInt(before.mode), true);
    return (
      this.#options.earlier !== null && stats.isDirectory() && isClosedMode(BigInt(stats.mode), true) && !wasClosed
    );
  }

  #stamp(path: string, { ino, size, mode, mtimeMs, ctimeMs }: Stats): void {
    this.stamps.set(path, { ino, size, mode, mtimeMs, ctimeMs });
  }

  async #makeWay(): Promise<void> {
    if (performance.now() > this.#sliceEndsAt) {
      await setImmediate();
      this.#sliceEndsAt = performance.now() + sliceMs;
    }
  }
}

function namesIn(path: string, held: HeldDirectory, roots: RealRoots): readonly string[] | null {
  const opened = openVerified({ path, kind: 'directory', roots, proof, followsLink: false, base: held });
  if (!opened.ok) {
    return null;
  }
  try {
    const at = proof === 'kernel-link' ? pathOfDescriptor(opened.descriptor) : path;
    return opened.realPath === path ? readdirSync(at) : null;
  } catch {
    return null;
  } finally {
    closeDescriptor(opened.descriptor);
  }
}

function rawNamesIn(at: string): readonly Buffer[] {
  try {
    return readdirSync(at, { encoding: 'buffer' });
  } catch {
    return [];
  }
}

/** The usual notation for such names: `a\xff`. */
function escapeBytes(name: Buffer): string {
  return [...name].map((byte) => (byte > 0x7f ? `\\x${byte.toString(16)}` : String.fromCharCode(byte))).join('');
}

function statsAt(at: string | Buffer): Stats | null {
  try {
    return lstatSync(at);
  } catch {
    return null;
  }
}

const heldKinds: ReadonlyMap<string, string> = new Map(heldNames.map(({ path, kind }) => [path, kind]));

/** The contents of a directory with such a name are stamped regardless. */
function isHeld(name: string, stats: Stats): boolean {
  return stats.isDirectory() ? heldKinds.get(name) === 'directory' : heldKinds.get(name) === 'file' && stats.size === 0;
}

/** It holds thousands of files that are named by their contents. */
function isObjectStore(directory: string, name: string): boolean {
  return name === 'objects' && isRepository(directory);
}

/** As a file system that ignores case treats it. */
function isRepository(path: string): boolean {
  return basename(path).toLowerCase() === '.git';
}

/** An unwatched place that has changed. */
export type StampChange = { readonly path: string; readonly kind: 'created' | 'modified' | 'deleted' };

/** The differences between two scans, as far as both looked. */
export function compareStamps(before: StampScan, after: StampScan): readonly StampChange[] {
  const [old, young] = [before.stamps, after.stamps];
  const created = before.isComplete ? [...young.keys()].filter((path) => !old.has(path)) : [];
  const deleted = after.isComplete ? [...old.keys()].filter((path) => !young.has(path)) : [];
  const modified = [...old.keys()].filter((path) => isChanged(old.get(path), young.get(path)));
  return [
    ...created.map((path) => ({ path, kind: 'created' }) as const),
    ...modified.map((path) => ({ path, kind: 'modified' }) as const),
    ...deleted.map((path) => ({ path, kind: 'deleted' }) as const),
  ];
}

const typeBits = 0o170000;
const directoryType = 0o040000;
const fileType = 0o100000;

/** The mode bits of a stamped file; null for anything else. */
export function fileModeIn({ stamps }: StampScan, path: string): number | null {
  const mode = stamps.get(path)?.mode;
  return mode !== undefined && (mode & typeBits) === fileType ? mode & ~typeBits : null;
}

/** A directory changes with each name in it: those have stamps of their own. */
function isChanged(one: Stamp | undefined, other: Stamp | undefined): boolean {
  if (one === undefined || other === undefined) {
    return false;
  }
  const isSamePlace = one.ino === other.ino && one.mode === other.mode;
  const isSameContent = one.ctimeMs === other.ctimeMs && one.size === other.size && one.mtimeMs === other.mtimeMs;
  return !(isSamePlace && (isSameContent || (one.mode & typeBits) === directoryType));
}

/**
 * The paths of repositories that are new, or took the place of a link or a file: Git would run the commands in their settings for a user
 * who enters the directory around one.
 */
export function newRepositories(changes: readonly StampChange[]): readonly string[] {
  const found = changes.filter(({ kind, path }) => kind !== 'deleted' && isRepository(path)).map(({ path }) => path);
  return found.filter((path) => !found.some((other) => other !== path && path.startsWith(`${other}/`)));
}

/**
 * Renames a repository in its directory to a name that Git does not obey, so that anything a command may have moved into it survives.
 * Resolves to its new path, or to null on failure. Never rejects.
 */
export async function disarmRepository(path: string, roots: RealRoots): Promise<string | null> {
  for (let count = 1; count <= maxNames; count += 1) {
    const name = `git-made-by-a-command-${count}`;
    const reached = await openParent(path, roots, async (at) => {
      const target = join(dirname(at), name);
      const isFree = statsAt(target) === null;
      await (isFree ? rename(at, target) : undefined);
      return isFree;
    }).catch(() => null);
    if (reached?.reached !== true) {
      return null;
    }
    if (reached.value) {
      return join(dirname(path), name);
    }
  }
  return null;
}

const maxNames = 1_000;
