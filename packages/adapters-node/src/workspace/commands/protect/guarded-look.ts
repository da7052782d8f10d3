import { type BigIntStats, type Dirent, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, relative, sep } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { judgeWrite } from '@gemini-mcp/core/internal';
import { isSensitivePath } from '../../../disk/sensitive-names.ts';
import { entryPath } from '../../../processes/path-containment.ts';
import { type FileVersion, isSameVersion, isSettled, versionOf } from '../../file-version.ts';
import { isClosedMode } from '../../journal/stat-entry.ts';
import type { CoveredPath } from '../sandbox/sandbox-view.ts';

/**
 * The parts of a project that a command must not change, read or connect to. Absolute paths of existing files and directories, never links.
 */
export type GuardedPaths = {
  readonly guarded: readonly string[];
  readonly masked: readonly CoveredPath[];
  /** Directories of installed programs, such as `node_modules/.bin`: only a command that the user allowed may change them. */
  readonly programs: readonly string[];
  /** Why the look is incomplete; null if it is complete. */
  readonly cut: CutLook | null;
};

/**
 * `entries`: the project has more names than the limit. `places`: more protected names and secrets than can be covered. `names`: a
 * directory or a secret with a name that is not UTF-8 and so cannot be mounted over. `where`: an absolute path.
 */
export type CutLook = { readonly reason: 'entries' | 'places' | 'names'; readonly where: string };

export type GuardedLimits = {
  /** Names in the project, without third-party directories. */
  readonly maxEntries: number;
  /** Names in all third-party directories. */
  readonly maxPassedOver: number;
  /** Covered places; each takes a mount. */
  readonly maxPlaces: number;
};

const usualLimits: GuardedLimits = { maxEntries: 200_000, maxPassedOver: 300_000, maxPlaces: 1_000 };

/**
 * Third-party directories: they hold thousands of directories, but no settings that this project's programs obey. They are still searched
 * for secrets.
 */
const passedOver: ReadonlySet<string> = new Set([
  'node_modules',
  '.venv',
  'venv',
  'vendor',
  'target',
  '.yarn',
  '.cache',
]);

/** The subdirectories of those that hold programs which users start by name. */
const programDirectories: ReadonlyMap<string, string> = new Map([
  ['node_modules', '.bin'],
  ['.venv', 'bin'],
  ['venv', 'bin'],
  ['vendor', 'bin'],
]);

/** The contents of a directory, valid while its version is unchanged. */
type KnownDirectory = {
  readonly version: FileVersion;
  /** Whether each later change of its names shows in the version. */
  readonly isSettled: boolean;
  readonly count: number;
  readonly guarded: readonly string[];
  readonly masked: readonly CoveredPath[];
  readonly deeper: readonly string[];
  readonly sockets: readonly string[];
  /** Whether it contains an entry whose name is not UTF-8. */
  readonly hasUnnamed: boolean;
};

type Waiting = { readonly path: string; readonly isPassedOver: boolean };

/** The time to work before yielding to others. */
const sliceMs = 8;

/**
 * Finds the protected names and the secrets below a root. A second look reads only directories that have changed since, at the price of one
 * system call for each directory. Skips links, because nothing can be mounted over a link: targets within the project are found by
 * themselves. Masks directories that cannot be listed: a command could open them up.
 */
export class GuardedLook {
  readonly #root: string;
  readonly #limits: GuardedLimits;
  #known: ReadonlyMap<string, KnownDirectory> = new Map();

  constructor(root: string, limits: GuardedLimits = usualLimits) {
    this.#root = root;
    this.#limits = limits;
  }

  /** The present state. Never rejects. */
  async look(): Promise<GuardedPaths> {
    const known = new Map<string, KnownDirectory>();
    const found = new Findings(this.#root, this.#limits);
    let sliceEndsAt = performance.now() + sliceMs;
    // Breadth-first, so that shallow entries are seen before a limit is reached. The list grows during the loop.
    const waiting: Waiting[] = [{ path: this.#root, isPassedOver: false }];
    for (const next of waiting) {
      const directory = found.hasRoomFor(next) ? this.#lookAt(next) : null;
      if (directory !== null) {
        known.set(next.path, directory);
        found.add(next, directory);
        pushAll(waiting, directory.deeper.map(belowOf(next)));
      }
      if (performance.now() > sliceEndsAt) {
        await setImmediate();
        sliceEndsAt = performance.now() + sliceMs;
      }
    }
    this.#known = known;
    return found.places;
  }

  /** Null if it is no longer a directory. */
  #lookAt({ path, isPassedOver }: Waiting): KnownDirectory | null {
    const stats = statsOf(path);
    if (stats === null) {
      return null;
    }
    const version = versionOf(stats);
    const known = this.#known.get(path);
    if (known?.isSettled === true && isSameVersion(known.version, version)) {
      return known;
    }
    const base = { version, isSettled: isSettled(version, Date.now()) };
    const entries = isClosed(stats) ? null : entriesOf(path);
    return entries === null
      ? {
          ...base,
          count: 0,
          guarded: [],
          masked: [{ path, kind: 'directory' }],
          deeper: [],
          sockets: [],
          hasUnnamed: false,
        }
      : { ...base, ...this.#coverWhole(path, sortOut(entries, { path, isPassedOver, root: this.#root })) };
  }

  /** One mount for a whole directory of secrets: bubblewrap takes longer for each mount the more there are. */
  #coverWhole(path: string, sorted: SortedDirectory): SortedDirectory {
    const { count, masked } = sorted;
    const isWhole = masked.length === count && count >= minCoveredWhole && path !== this.#root;
    return isWhole ? { ...sorted, masked: [{ path, kind: 'directory' }] } : sorted;
  }
}

/** Fewer secrets are covered one by one, so that a command sees their names. */
const minCoveredWhole = 16;

type SortedDirectory = Omit<KnownDirectory, 'version' | 'isSettled'>;

class Findings {
  readonly #root: string;
  readonly #limits: GuardedLimits;
  readonly #guarded: string[] = [];
  readonly #masked: CoveredPath[] = [];
  readonly #programs: string[] = [];
  readonly #sockets: string[] = [];
  #entries = 0;
  #passedOver = 0;
  #cut: CutLook | null = null;

  constructor(root: string, limits: GuardedLimits) {
    this.#root = root;
    this.#limits = limits;
  }

  /** Records the first directory that does not fit. */
  hasRoomFor({ path, isPassedOver }: Waiting): boolean {
    const { maxEntries, maxPassedOver } = this.#limits;
    const hasRoom = isPassedOver ? this.#passedOver < maxPassedOver : this.#entries < maxEntries;
    if (!hasRoom) {
      this.#cut ??= { reason: 'entries', where: path };
    }
    return hasRoom;
  }

  add({ path, isPassedOver }: Waiting, { count, guarded, masked, deeper, sockets, hasUnnamed }: KnownDirectory): void {
    if (hasUnnamed) {
      this.#cut ??= { reason: 'names', where: path };
    }
    if (isPassedOver) {
      this.#passedOver += count;
    } else {
      this.#entries += count;
    }
    pushAll(this.#guarded, guarded);
    pushAll(this.#masked, masked);
    pushAll(this.#sockets, sockets);
    const programs = programDirectories.get(basename(path));
    if (programs !== undefined && isFirstOfItsKind(this.#root, path)) {
      this.#programs.push(...deeper.filter((one) => basename(one) === programs));
    }
  }

  /** Repositories come first if not all can be covered, then shallow places. */
  get places(): GuardedPaths {
    const { maxPlaces } = this.#limits;
    const guarded = [
      ...this.#guarded.filter((path) => basename(path) === repository),
      ...this.#guarded.filter((path) => basename(path) !== repository),
      ...this.#programs,
    ];
    const masked = [...findOpenSockets(this.#sockets), ...this.#masked];
    const [beyond] = [...guarded, ...masked.map(({ path }) => path)].slice(maxPlaces);
    const cut: CutLook | null = beyond === undefined ? this.#cut : { reason: 'places', where: beyond };
    const covered = new Set(guarded.slice(0, maxPlaces));
    return {
      guarded: guarded.filter((path) => covered.has(path) && !this.#programs.includes(path)),
      masked: masked.slice(0, Math.max(0, maxPlaces - covered.size)),
      programs: this.#programs.filter((path) => covered.has(path)),
      cut,
    };
  }
}

/** Sockets at which programs outside any sandbox may answer. A socket that a command left can be removed by another command. */
function findOpenSockets(sockets: readonly string[]): readonly CoveredPath[] {
  const names = sockets.length === 0 ? null : readSocketNames();
  return sockets.filter((path) => names?.has(basename(path)) !== false).map((path) => ({ path, kind: 'file' }));
}

/** Whether the path is a third-party directory that lies in no other one. */
function isFirstOfItsKind(root: string, path: string): boolean {
  return !relative(root, path)
    .split(sep)
    .slice(0, -1)
    .some((name) => passedOver.has(name));
}

function belowOf(above: Waiting): (path: string) => Waiting {
  return (path) => ({ path, isPassedOver: above.isPassedOver || passedOver.has(basename(path)) });
}

/** A long list spread into the arguments of a call overflows the stack. */
function pushAll<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) {
    list.push(item);
  }
}

/** The stats of a directory; null for anything else, and for an unreachable path. */
function statsOf(path: string): BigIntStats | null {
  try {
    const stats = lstatSync(path, { bigint: true });
    return stats.isDirectory() ? stats : null;
  } catch {
    return null;
  }
}

function sortOut(
  entries: readonly Dirent[],
  { path: directory, isPassedOver, root }: Waiting & { readonly root: string },
): SortedDirectory {
  const above = namesAbove(root, directory);
  const sorted: Sorted = { guarded: [], masked: [], deeper: [], sockets: [], hasUnnamed: false };
  for (const entry of entries) {
    if (entry.isSocket()) {
      sorted.sockets.push(entryPath(directory, entry.name));
    }
    const kind = kindOf(entry);
    const verdict = kind === null ? 'open' : judge(entry.name, above, isPassedOver);
    if (kind === 'directory' || verdict !== 'open') {
      sortIn(sorted, entryPath(directory, entry.name), kind ?? 'file', verdict);
    }
  }
  return { count: entries.length, ...sorted };
}

type Sorted = {
  guarded: string[];
  masked: CoveredPath[];
  deeper: string[];
  sockets: string[];
  hasUnnamed: boolean;
};

function sortIn(sorted: Sorted, path: string, kind: CoveredPath['kind'], verdict: Verdict): void {
  if (isUnnamed(path)) {
    sorted.hasUnnamed = true;
  } else if (verdict === 'secret') {
    sorted.masked.push({ path, kind });
  } else {
    (verdict === 'protected' ? sorted.guarded : sorted.deeper).push(path);
  }
}

/** As many names of a directory as a sensitive place can begin with. */
function namesAbove(root: string, directory: string): string {
  const names = relative(root, directory)
    .split(sep)
    .slice(1 - namesOfPlace);
  return names.map((name) => (name === '' ? '' : `${name}/`)).join('');
}

/** Whether the system does not know a path by the text that it was decoded to. */
function isUnnamed(path: string): boolean {
  return path.includes('\uFFFD') && !existsSync(path);
}

/** Null if the directory is gone or this user may not read it. */
function entriesOf(directory: string): readonly Dirent[] | null {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return null;
  }
}

/** Closed to us, its owner, so that a command could open it. Nothing is closed to the superuser. */
function isClosed({ mode, uid }: BigIntStats): boolean {
  const own = process.getuid?.();
  return own !== undefined && own !== 0 && uid === BigInt(own) && isClosedMode(mode, true);
}

function kindOf(entry: Dirent): CoveredPath['kind'] | null {
  if (entry.isDirectory()) {
    return 'directory';
  }
  return entry.isFile() ? 'file' : null;
}

/** Programs need it although a model has no use for it: without it there is no repository. */
const repository = '.git';

type Verdict = 'open' | 'protected' | 'secret';

const verdicts = new Map<string, Verdict>();
const maxVerdicts = 20_000;

/** The number of names in the longest place that `isSensitivePath` knows. */
const namesOfPlace = 3;

/** The parents were judged before; a name alone need not be judged again in each directory that has it. */
function judge(name: string, above: string, isPassedOver: boolean): Verdict {
  const known = verdicts.get(name) ?? remember(name);
  const isInPlace = known === 'open' && (above.startsWith('.') || above.includes('/.') || name.startsWith('.'));
  const verdict = isInPlace ? judgePath(above + name) : known;
  return isPassedOver && verdict === 'protected' && name !== repository ? 'open' : verdict;
}

function remember(name: string): Verdict {
  const verdict = judgePath(name);
  if (verdicts.size >= maxVerdicts) {
    verdicts.clear();
  }
  verdicts.set(name, verdict);
  return verdict;
}

/** A secret is also protected: a file that cannot be read cannot be written either. */
function judgePath(path: string): Verdict {
  if (basename(path) !== repository && isSensitivePath(path)) {
    return 'secret';
  }
  return judgeWrite({ path, isSensitive: () => false }).decision === 'deny' ? 'protected' : 'open';
}

/**
 * The last names of the paths of Unix sockets in this network namespace: the kernel reports a path as it was bound, which may be relative,
 * or renamed above since. Null if the kernel reports none. Never throws.
 */
function readSocketNames(): ReadonlySet<string> | null {
  try {
    const lines = readFileSync('/proc/net/unix', 'utf8').split('\n');
    return new Set(lines.flatMap((line) => pathOf(line) ?? []).map((path) => basename(path)));
  } catch {
    return null;
  }
}

/** The path comes after seven fields. A name that begins with `@` is not a path. */
function pathOf(line: string): string | null {
  return /^(?:\S+ +){7}([^@].*)$/.exec(line)?.[1] ?? null;
}
