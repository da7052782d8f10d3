import { relative, sep } from 'node:path';
import { entryPath } from '../../processes/path-containment.ts';
import type { NamedPath } from '../allowed-roots.ts';
import type { HeldDirectory } from '../held-directory.ts';
import type { DescriptorProof } from '../open-verified.ts';
import type { RealRoots } from '../real-roots.ts';
import type { Refusal } from '../refusal.ts';
import type { TimeSlices } from '../time-slices.ts';
import type { EntryFilter } from './entry-filter.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { type DirectoryEntry, type DirectoryListing, listDirectory } from './list-directory.ts';
import { findRepositoryRoot, loadIgnoreFiles } from './load-ignore-files.ts';
import { isBinaryName, isSkippedDirectory, isSkippedFile, isSkippedForItsContent } from './skip-list.ts';
import type { WalkTime } from './walk-time.ts';

/** A wanted entry below the walked directory that no rule excludes. */
export type WalkedEntry = NamedPath & {
  /** `binary` is known from the name. */
  readonly kind: 'file' | 'binary' | 'other';
  /** Whether the entry is a link. It counts as a link to a file until it is followed. */
  readonly isLink: boolean;
  /** The caller's words that want the entry. */
  readonly sources: readonly string[];
};

export type WalkVisitor = {
  readonly entry: (entry: WalkedEntry) => void;
  /** Called for a subdirectory that could not be read. */
  readonly refused: (displayPath: string, sources: readonly string[], refusal: Refusal) => void;
  /** Called for a directory that is skipped because the walker has already visited it. */
  readonly visitedBefore: (sources: readonly string[]) => void;
};

export type WalkOptions = {
  readonly roots: RealRoots;
  readonly proof: DescriptorProof;
  readonly slices: TimeSlices;
  readonly visitor: WalkVisitor;
  /** The limit on entries listed by all walks of this walker together. */
  readonly maxEntries: number;
  /** The time budget for walks; limited only by the deadline if missing. */
  readonly time?: WalkTime;
  /** Whether to skip a directory that an earlier walk has visited. */
  readonly visitsOnce: boolean;
  /** An open directory from which everything below it is reached. Optional. */
  readonly base?: HeldDirectory;
};

export type WalkEnd = 'complete' | 'deadline' | 'too-many-entries' | Refusal;

const movedMeanwhile: Refusal = { ok: false, reason: 'unreadable', detail: 'moved while it was being walked' };

/**
 * Walks directories in the order of sorted whole paths.
 *
 * Links to directories are not followed, as in git: a walk visits each directory once, ends, and stays below its start. A link to a file is
 * an ordinary entry. The start directory is exempt from ignore rules and the skip list; everything below it is subject to them.
 */
export class DirectoryWalker {
  readonly #options: WalkOptions;
  readonly #visited = new Set<string>();
  #remainingEntries: number;
  #isCut = false;

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#remainingEntries = options.maxEntries;
  }

  /** Rejects on abort. */
  walk(place: NamedPath, filter: EntryFilter): Promise<WalkEnd> {
    const walk = (): Promise<WalkEnd> => this.#walk(place, filter);
    return this.#options.time?.spend(walk) ?? walk();
  }

  async #walk(place: NamedPath, filter: EntryFilter): Promise<WalkEnd> {
    const base = await this.#enterBase(place, filter);
    if (base === null) {
      return 'complete';
    }
    return 'ok' in base ? base : this.#walkFrom(base);
  }

  async #walkFrom(base: WalkFrame): Promise<WalkEnd> {
    const stack = [base];
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const end = await this.#findEnd(frame);
      if (end !== null) {
        return end;
      }
      const step = this.#advance(frame);
      const below = typeof step === 'string' ? null : await this.#enter(frame, step.name);
      if (step === 'done') {
        stack.pop();
      } else if (below !== null) {
        stack.push(below);
      }
    }
    return this.#isCut ? 'too-many-entries' : 'complete';
  }

  /** Why there is no time to continue; null if there is time. */
  async #findEnd({ displayPath }: WalkFrame): Promise<WalkEnd | null> {
    const { slices, time } = this.#options;
    if (slices.isUsedUp) {
      await slices.next();
    }
    if (slices.isPastDeadline) {
      return 'deadline';
    }
    if (time?.isUsedUp !== true) {
      return null;
    }
    const place = displayPath === '' ? '.' : displayPath;
    const detail = `it took too long and stopped in ${place}: nothing after it was looked at; name a smaller directory`;
    return { ok: false, reason: 'search-stopped', detail };
  }

  /** Visits files up to the next directory or the end of the slice. */
  #advance(frame: WalkFrame): DirectoryEntry | 'paused' | 'done' {
    for (let next = frame.entries.next(); next.done !== true; next = frame.entries.next()) {
      if (next.value.kind === 'directory') {
        return next.value;
      }
      this.#visit(frame, next.value);
      if (this.#options.slices.isUsedUp) {
        return 'paused';
      }
    }
    return 'done';
  }

  #visit(frame: WalkFrame, { name, kind }: DirectoryEntry): void {
    const sources = frame.filter.sourcesOf(name);
    const isWanted = sources.length > 0 && !isSkippedFile(name);
    if (!isWanted || frame.rules.ignores({ names: [...frame.names, name], isDirectory: false })) {
      return;
    }
    this.#options.visitor.entry({
      absolutePath: entryPath(frame.realPath, name),
      displayPath: displayBelow(frame, name),
      kind: kindOf(name, kind),
      isLink: kind === 'link',
      sources,
    });
  }

  async #enterBase(place: NamedPath, filter: EntryFilter): Promise<WalkFrame | Refusal | null> {
    const listing = await this.#list(place.absolutePath, true);
    if (!listing.ok) {
      return listing;
    }
    if (isInsideGit(listing.realPath)) {
      return { ok: false, reason: 'sensitive', detail: '.git is never walked' };
    }
    const top = findRepositoryRoot(listing.realPath) ?? this.#options.roots.rootOf(listing.realPath);
    const names = relative(top ?? listing.realPath, listing.realPath)
      .split(sep)
      .filter((name) => name !== '');
    const rules = rulesAbove(top ?? listing.realPath, names);
    return rules === null
      ? unknownRules
      : this.#createFrame({ listing, displayPath: place.displayPath, names, rules, filter });
  }

  async #enter(frame: WalkFrame, name: string): Promise<WalkFrame | null> {
    const filter = this.#isCut || isSkippedDirectory(name) ? null : frame.filter.enter(name);
    const names = [...frame.names, name];
    if (filter === null || frame.rules.ignores({ names, isDirectory: true })) {
      return null;
    }
    const displayPath = displayBelow(frame, name);
    const place = entryPath(frame.realPath, name);
    const listing = await this.#list(place, false);
    const below = this.#judgeListing(place, listing, { displayPath, names, rules: frame.rules, filter });
    if (below !== null && 'ok' in below) {
      this.#options.visitor.refused(displayPath, filter.sources, below);
      return null;
    }
    return below;
  }

  #judgeListing(
    place: string,
    listing: DirectoryListing | Refusal,
    parts: Omit<FrameParts, 'listing'>,
  ): WalkFrame | Refusal | null {
    if (!listing.ok) {
      return listing;
    }
    const { entries, realPath } = listing;
    // A directory on the path may have become a link to an excluded directory or to one with another name.
    if (realPath !== place) {
      return movedMeanwhile;
    }
    const isSkipped = isInsideGit(realPath) || isSkippedForItsContent(entries.map(({ name }) => name));
    return isSkipped ? null : this.#createFrame({ ...parts, listing });
  }

  #createFrame({ listing, displayPath, names, rules, filter }: FrameParts): WalkFrame | Refusal | null {
    const { realPath, entries, isComplete } = listing;
    if (this.#options.visitsOnce && this.#visited.has(realPath)) {
      this.#options.visitor.visitedBefore(filter.sources);
      return null;
    }
    this.#visited.add(realPath);
    const present = new Set(entries.map(({ name }) => name));
    const from = this.#options.base?.pathOf(realPath) ?? realPath;
    const level = loadIgnoreFiles(from, names.length, (name) => !isComplete || present.has(name));
    const ownRules = level === null ? null : rules.with(level);
    return ownRules === null
      ? unknownRules
      : { realPath, displayPath, names, rules: ownRules, filter, entries: entries.values() };
  }

  async #list(path: string, followsLink: boolean): Promise<DirectoryListing | Refusal> {
    const { roots, proof, slices, time, base } = this.#options;
    const listing = await listDirectory(
      { path, roots, proof, base, followsLink, maxEntries: this.#remainingEntries },
      slices,
    );
    if (listing.ok) {
      this.#remainingEntries -= listing.entries.length;
      time?.countEntries(listing.entries.length);
      this.#isCut ||= !listing.isComplete;
    }
    return listing;
  }
}

type FrameParts = Pick<WalkFrame, 'displayPath' | 'names' | 'rules' | 'filter'> & {
  readonly listing: DirectoryListing;
};

const unknownRules: Refusal = {
  ok: false,
  reason: 'unreadable',
  detail: 'its ignore files are too large or unreadable',
};

function kindOf(name: string, kind: DirectoryEntry['kind']): WalkedEntry['kind'] {
  if (kind === 'other') {
    return 'other';
  }
  return isBinaryName(name) ? 'binary' : 'file';
}

/** A directory being walked, and the progress in it. */
type WalkFrame = {
  readonly realPath: string;
  readonly displayPath: string;
  /** The names that lead to it from the top of the ignore rules. */
  readonly names: readonly string[];
  readonly rules: IgnoreRules;
  readonly filter: EntryFilter;
  readonly entries: Iterator<DirectoryEntry>;
};

/** The display path of a directory entry. */
function displayBelow({ displayPath }: WalkFrame, name: string): string {
  return displayPath === '' || displayPath.endsWith('/') ? displayPath + name : `${displayPath}/${name}`;
}

/** The rules of the directories from the top down to the named one; null if they cannot be determined. */
function rulesAbove(top: string, names: readonly string[]): IgnoreRules | null {
  let rules: IgnoreRules | null = IgnoreRules.none;
  for (const [depth] of names.entries()) {
    const level = loadIgnoreFiles(names.slice(0, depth).reduce(entryPath, top), depth, () => true);
    rules = level === null || rules === null ? null : rules.with(level);
  }
  return rules;
}

/** Whether a path leads into git's own files. */
function isInsideGit(realPath: string): boolean {
  return realPath.toLowerCase().split(sep).includes('.git');
}
