import { type BigIntStats, lstatSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { HeldDirectory } from '../../../disk/held-directory.ts';
import { chooseDescriptorProof } from '../../../disk/open-verified.ts';
import type { RealRoots } from '../../../disk/real-roots.ts';
import type { TimeSlices } from '../../../disk/time-slices.ts';
import { IgnoreRules } from '../../../disk/walk/ignore-rules.ts';
import { type DirectoryEntry, listDirectory } from '../../../disk/walk/list-directory.ts';
import { findRepositoryRoot, loadIgnoreFiles } from '../../../disk/walk/load-ignore-files.ts';
import { isSkippedDirectory, isSkippedForItsContent } from '../../../disk/walk/skip-list.ts';
import { entryPath } from '../../../processes/path-containment.ts';
import { heldNames } from '../../commands/protect/held-names.ts';
import { describeSystemError } from '../describe-system-error.ts';
import { openParent } from '../open-parent.ts';
import { type FileStamp, isClosedMode, reopenEntry, stampOf } from '../stat-entry.ts';

const proof = chooseDescriptorProof();

export type ScannedEntry = {
  readonly kind: DirectoryEntry['kind'];
  readonly stamp: FileStamp;
};

/** The rules by which a directory was scanned. */
type ScannedDirectory = {
  readonly rules: IgnoreRules;
  /** The names that lead to it from the top of the rules. */
  readonly names: readonly string[];
};

export type TreeScan = {
  readonly places: ReadonlyMap<string, ScannedEntry>;
  readonly directories: ReadonlyMap<string, ScannedDirectory>;
  /** Subdirectories that were skipped for a marker in them. */
  readonly passedOver: ReadonlySet<string>;
  readonly reopened: readonly string[];
  /** Why the scan is incomplete, in words that follow "because"; null if it is complete. */
  readonly obstacle: string | null;
};

export type TreeLimits = {
  readonly maxFiles: number;
  readonly maxBytes: number;
  /** The limit on names, including skipped ones. */
  readonly maxEntries: number;
  /** The limit on new files and directories of one command that undo removes; defaults to 10,000. */
  readonly maxCreated?: number;
};

export type ScanOptions = {
  readonly directories: readonly string[];
  readonly roots: RealRoots;
  readonly limits: TreeLimits;
  readonly slices: TimeSlices;
  /** The scan whose rules apply: a command cannot hide files by writing an ignore file, or a marker into a directory. */
  readonly earlier: TreeScan | null;
  /** Places that are always inspected, however many others exist. Defaults to an empty map. */
  readonly known?: TreeScan['places'] | undefined;
  /** Whether to reopen places of ours that were closed to us but were open in `known`. */
  readonly reopens: boolean;
};

/**
 * Scans directories with everything below them except files that git ignores, version control, packages and caches. Inspects links without
 * following them. Rejects on abort.
 */
export async function scanTree(options: ScanOptions): Promise<TreeScan> {
  const scan = new Scan(options);
  for (const directory of options.directories) {
    await scan.walk(directory);
  }
  if (scan.obstacle !== null) {
    await scan.lookAgain();
  }
  return scan;
}

type Waiting = ScannedDirectory & { readonly path: string };

class Scan implements TreeScan {
  readonly places = new Map<string, ScannedEntry>();
  readonly directories = new Map<string, ScannedDirectory>();
  readonly passedOver: Set<string>;
  readonly reopened: string[] = [];
  /** Why the scan is incomplete: once set, it stops. */
  obstacle: string | null = null;
  readonly #options: ScanOptions;
  #files = 0;
  #bytes = 0;
  #entriesLeft: number;

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#entriesLeft = options.limits.maxEntries;
    this.passedOver = new Set(options.earlier?.passedOver);
  }

  /** Inspects each known place that the walk has not reached. */
  async lookAgain(): Promise<void> {
    const { known, roots, slices } = this.#options;
    for (const [path, { kind }] of known ?? []) {
      const look = async (at: string): Promise<ScannedEntry | null> => this.#look(path, at, kind);
      const reached = this.places.has(path) ? null : await openParent(path, roots, look).catch(() => null);
      if (reached?.reached === true && reached.value !== null) {
        this.places.set(path, reached.value);
      }
      if (slices.isUsedUp) {
        await slices.next();
      }
    }
  }

  async walk(directory: string): Promise<void> {
    const place = this.#look(directory, directory, 'directory');
    if (place !== null) {
      this.#enter(directory, place);
    }
    const held = HeldDirectory.open({ path: directory, roots: this.#options.roots, proof });
    if (!(held instanceof HeldDirectory)) {
      this.obstacle ??= `${directory} cannot be read`;
      return;
    }
    try {
      const top = findRepositoryRoot(directory) ?? directory;
      const names = relative(top, directory)
        .split(sep)
        .filter((name) => name !== '');
      const rules = rulesAbove(top, names) ?? this.#refuseRules();
      await this.#walkFrom(held, { path: directory, rules, names });
    } finally {
      held.release();
    }
  }

  async #walkFrom(held: HeldDirectory, base: Waiting): Promise<void> {
    const waiting = [base];
    for (let next = waiting.pop(); next !== undefined && this.obstacle === null; next = waiting.pop()) {
      const entries = await this.#list(held, next.path);
      if (!this.#isPassedOver(next.path, held, entries)) {
        waiting.push(...this.#lookThrough(held, next, entries));
      }
    }
  }

  /** Empty if it cannot be read, or is another directory by now. */
  async #list(held: HeldDirectory, path: string): Promise<readonly DirectoryEntry[]> {
    const { roots, slices } = this.#options;
    if (slices.isUsedUp) {
      await slices.next();
    }
    const request = { path, roots, proof, followsLink: false, maxEntries: this.#entriesLeft, base: held };
    const listing = await listDirectory(request, slices);
    if (!listing.ok || listing.realPath !== path) {
      this.obstacle ??= listing.ok || listing.reason !== 'name-too-long' ? null : tooLong;
      return [];
    }
    this.#entriesLeft -= listing.entries.length;
    this.#refuseIf(!listing.isComplete, `${this.#options.limits.maxEntries} files and directories`);
    return listing.entries;
  }

  /** Never skips a root, nor a directory that a command has created or put a marker into. */
  #isPassedOver(path: string, held: HeldDirectory, entries: readonly DirectoryEntry[]): boolean {
    if (this.#options.earlier !== null || path === held.realPath) {
      return this.passedOver.has(path);
    }
    const isMarked = isSkippedForItsContent(entries.map(({ name }) => name));
    if (isMarked) {
      this.passedOver.add(path);
    }
    return isMarked;
  }

  /** The subdirectories that are still to be scanned. */
  #lookThrough(held: HeldDirectory, above: Waiting, entries: readonly DirectoryEntry[]): readonly Waiting[] {
    const own = this.#rulesOf(held, above);
    this.directories.set(above.path, own);
    const below: Waiting[] = [];
    for (const entry of entries) {
      const path = entryPath(above.path, entry.name);
      const names = [...own.names, entry.name];
      const place = this.#isWatched(path, entry, names, own.rules)
        ? this.#look(path, held.pathOf(path), entry.kind)
        : null;
      if (place !== null && !(above.path === held.realPath && isHeldForCommands(entry.name, place))) {
        this.#enter(path, place);
        below.push(...(place.kind === 'directory' ? [{ path, rules: own.rules, names }] : []));
      }
    }
    return below;
  }

  /** Null for a place that is gone, has become another kind, or cannot be inspected. */
  #look(path: string, at: string, kind: DirectoryEntry['kind']): ScannedEntry | null {
    try {
      const place = stampEntry(at, kind);
      if (place === null || !this.#isToReopen(path, place) || !reopenEntry(at)) {
        return place;
      }
      this.reopened.push(path);
      return stampEntry(at, kind);
    } catch (error) {
      this.obstacle ??= describeSystemError(error);
      return null;
    }
  }

  /** Judged by the mode alone: opening it will show its owner. */
  #isToReopen(path: string, place: ScannedEntry): boolean {
    const known = this.#options.known?.get(path);
    const wasClosed = known?.kind === place.kind && isClosed(known);
    return this.#options.reopens && isClosed(place) && !wasClosed;
  }

  #rulesOf(held: HeldDirectory, { path, rules, names }: Waiting): ScannedDirectory {
    const { earlier } = this.#options;
    if (earlier !== null) {
      return earlier.directories.get(path) ?? { rules, names };
    }
    const level = loadIgnoreFiles(held.pathOf(path), names.length, () => true);
    const own = level === null ? null : rules.with({ ...level, gemini: [] });
    return { rules: own ?? this.#refuseRules(), names };
  }

  #isWatched(path: string, { name, kind }: DirectoryEntry, names: readonly string[], rules: IgnoreRules): boolean {
    // A name that is not UTF-8 cannot be told apart from others like it.
    if (name.includes('\uFFFD') || name === '.git' || !this.#options.roots.contains(path)) {
      return false;
    }
    const isDirectory = kind === 'directory';
    return !(isDirectory && isPassedOverByName(name)) && !rules.ignores({ names, isDirectory });
  }

  #enter(path: string, place: ScannedEntry): void {
    const { maxFiles, maxBytes } = this.#options.limits;
    const mebibytes = Math.round(maxBytes / 1_048_576);
    this.places.set(path, place);
    this.#files += place.kind === 'directory' ? 0 : 1;
    this.#bytes += place.kind === 'file' ? Number(place.stamp.size) : 0;
    this.#refuseIf(this.#files > maxFiles, `${maxFiles} files that Git does not ignore`);
    this.#refuseIf(this.#bytes > maxBytes, `${mebibytes} MiB in files that Git does not ignore`);
  }

  #refuseIf(isTooMuch: boolean, bound: string): void {
    if (isTooMuch) {
      this.obstacle ??= `there are more than ${bound}`;
    }
  }

  #refuseRules(): IgnoreRules {
    this.obstacle ??= 'its ignore files are too large or too intricate';
    return IgnoreRules.none;
  }
}

const tooLong = 'a path is longer than the system allows';

function isClosed({ kind, stamp }: ScannedEntry): boolean {
  return (kind === 'directory' || kind === 'file') && isClosedMode(stamp.mode, kind === 'directory');
}

/** Null for a place that is gone, or has become another kind. */
function stampEntry(at: string, kind: DirectoryEntry['kind']): ScannedEntry | null {
  const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  return stats === undefined || kindOf(stats) !== kind ? null : { kind, stamp: stampOf(stats) };
}

function kindOf(stats: BigIntStats): DirectoryEntry['kind'] {
  if (stats.isFile()) {
    return 'file';
  }
  if (stats.isDirectory()) {
    return 'directory';
  }
  return stats.isSymbolicLink() ? 'link' : 'other';
}

const heldKinds: ReadonlyMap<string, string> = new Map(heldNames.map(({ path, kind }) => [path, kind]));

/** An empty file or directory that lies at the top of a project while commands run, so that none of them can create one there. */
function isHeldForCommands(name: string, { kind, stamp }: ScannedEntry): boolean {
  return heldKinds.get(name) === kind && (kind === 'directory' || stamp.size === 0n);
}

/** Build results are watched unless git ignores them: they may be part of the project. */
const watchedAllTheSame: ReadonlySet<string> = new Set(['dist', 'build', 'coverage', 'htmlcov', '.output']);

function isPassedOverByName(name: string): boolean {
  return isSkippedDirectory(name) && !watchedAllTheSame.has(name);
}

/** Null if they are too intricate. */
function rulesAbove(top: string, names: readonly string[]): IgnoreRules | null {
  let rules: IgnoreRules | null = IgnoreRules.none;
  for (const [depth] of names.entries()) {
    const level = loadIgnoreFiles(names.slice(0, depth).reduce(entryPath, top), depth, () => true);
    rules = level === null || rules === null ? null : rules.with({ ...level, gemini: [] });
  }
  return rules;
}
