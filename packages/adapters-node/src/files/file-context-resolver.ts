import {
  type AskedLines,
  type Clock,
  type ContextBundle,
  type ContextResolver,
  type ContextSelection,
  parseLineRange,
} from '@gemini-mcp/core';
import type { LinesRequest } from '@gemini-mcp/core/internal';
import { AllowedRoots, type NamedPath } from '../disk/allowed-roots.ts';
import { chooseDescriptorProof, closeDescriptor, type DescriptorProof, openVerified } from '../disk/open-verified.ts';
import { type GlobPattern, parseGlobPattern } from '../disk/patterns/glob-pattern.ts';
import type { PinnedPaths } from '../disk/pin-paths.ts';
import type { RealRoots } from '../disk/real-roots.ts';
import { TimeSlices } from '../disk/time-slices.ts';
import { type SoughtBranch, wantEverything, wantMatches } from '../disk/walk/entry-filter.ts';
import { DirectoryWalker, type WalkEnd } from '../disk/walk/walk-directory.ts';
import { WalkTime } from '../disk/walk/walk-time.ts';
import { BundleDraft } from './bundle-draft.ts';
import { type Candidate, DocumentReader } from './document-reader.ts';
import { SkippedFiles } from './skipped-files.ts';
import { byDisplayPath, maxWalkedEntries, WalkFindings } from './walk-findings.ts';

/** Keeps matching one name against all patterns within some tens of milliseconds, for names of up to 255 characters. */
const maxCost = 8_192;

const outsideRoots: WalkEnd = { ok: false, reason: 'outside-roots' };

/** The time to find the lines of one file grows with the square of the number of ranges. */
const maxRangesPerCall = 1_000;
const tooMany: AskedLines = { ok: false, problem: `more than ${maxRangesPerCall} ranges in one call` };

export type FileContextResolverOptions = {
  /** The base of relative names; a root itself. */
  readonly workingDirectory: string;
  /** Further directories below which files may be read. */
  readonly roots: readonly string[];
  /** As in `AllowedRootsOptions`; resolved on construction if missing. */
  readonly pinned?: PinnedPaths;
  /** Directories below which nothing is read, whatever the roots: where a server keeps its state. Defaults to an empty list. */
  readonly privateDirectories?: readonly string[];
  /** Whether files that look like secrets may be read if a caller names them. Walks and patterns never send them. */
  readonly allowSensitive: boolean;
  readonly clock: Clock;
};

/**
 * Reads context from the file system.
 *
 * Beyond the port's contract: no file is sent whose real path, taken from the open descriptor, lies outside the roots or in /proc, /sys or
 * /dev; `.git` is never walked; walks and patterns silently skip anything that .gitignore, .geminiignore and a built-in list exclude; the
 * event loop turns every few milliseconds. Ignore files are read as rules up to the top of the repository, even above the roots. Lines are
 * found in files of up to 64 MiB, and in 256 MiB of files per call; a call may name a thousand ranges. If lines are named and a walk finds
 * their file as well, the lines are sent twice, because the walk's document is whole.
 *
 * Not promised: that a hard link or a mount inside a root does not lead outside; that a secret under an ordinary name is recognized.
 */
export class FileContextResolver implements ContextResolver {
  readonly workingDirectory: string;
  readonly #options: FileContextResolverOptions;
  readonly #names: AllowedRoots;

  constructor(options: FileContextResolverOptions) {
    this.workingDirectory = options.workingDirectory;
    this.#options = options;
    this.#names = new AllowedRoots(options);
  }

  async resolve(selection: ContextSelection, signal: AbortSignal): Promise<ContextBundle> {
    signal.throwIfAborted();
    const { clock, allowSensitive } = this.#options;
    const slices = new TimeSlices({ clock, deadlineAtMs: selection.deadlineAtMs }, signal);
    const skipped = new SkippedFiles();
    const find = {
      names: this.#names,
      roots: this.#names.real(),
      proof: chooseDescriptorProof(),
      slices,
      time: new WalkTime(slices),
      skipped,
    };
    const draft = new BundleDraft(selection);
    const reader = new DocumentReader({ ...find, draft, allowSensitive });

    await reader.readAll(await locateFiles(selection.files, find));
    await reader.readAll(await findByGlobs(selection.globPatterns, find));
    await reader.readAll(await findInDirectories(selection.directories, find));
    signal.throwIfAborted();
    return draft.finish(skipped.entries());
  }
}

type LocateOptions = {
  readonly names: AllowedRoots;
  readonly roots: RealRoots;
  readonly proof: DescriptorProof;
  readonly slices: TimeSlices;
  readonly skipped: SkippedFiles;
};

/**
 * Resolves the names of files, sorted by path, with a file's lines after the file itself. A name that ends in a line range is tried as a
 * whole before its end is parsed as lines. Rejects on abort.
 */
async function locateFiles(sources: readonly string[], options: LocateOptions): Promise<readonly Candidate[]> {
  const { names, slices, skipped } = options;
  const whole: Candidate[] = [];
  const parts: NamedPart[] = [];
  for (const source of new Set(sources)) {
    if (slices.isUsedUp) {
      await slices.next();
    }
    const exact = names.locate(source);
    const part = locateLines(source, exact, options);
    if (part !== null) {
      parts.push(part);
    } else if (exact === null) {
      skipped.addNamed(source, 'file', { reason: 'outside-roots' });
    } else {
      whole.push({ ...exact, origin: 'file', source });
    }
  }
  return [...whole, ...groupByFile(parts)].sort(byDisplayPath);
}

type NamedPart = { readonly place: NamedPath; readonly request: LinesRequest };

/** Null for a name to take as a whole. */
function locateLines(source: string, exact: NamedPath | null, options: LocateOptions): NamedPart | null {
  const named = parseLineRange(source);
  const place = named === null ? null : options.names.locate(named.path);
  if (named === null || place === null || (exact !== null && mayExist(exact, options))) {
    return null;
  }
  return { place, request: { source, asked: named.asked } };
}

/** Opens the file instead of looking it up, which reveals nothing about paths outside the roots. */
function mayExist({ absolutePath }: NamedPath, { roots, proof, slices }: LocateOptions): boolean {
  if (slices.isPastDeadline) {
    return true;
  }
  const opened = openVerified({ path: absolutePath, kind: 'file', roots, proof, followsLink: true });
  if (opened.ok) {
    closeDescriptor(opened.descriptor);
    return true;
  }
  // With its lines a name may be longer than any file's.
  return opened.reason !== 'not-found' && opened.reason !== 'name-too-long';
}

function groupByFile(parts: readonly NamedPart[]): readonly Candidate[] {
  const groups = new Map<string, Candidate & { readonly lines: LinesRequest[] }>();
  let remaining = maxRangesPerCall;
  for (const { place, request } of parts) {
    const { source, asked } = request;
    const count = asked.ok ? asked.ranges.length : 0;
    const group = groups.get(place.absolutePath) ?? { ...place, origin: 'file', source, lines: [] };
    group.lines.push(count > remaining ? { source, asked: tooMany } : request);
    groups.set(place.absolutePath, group);
    remaining -= Math.min(count, remaining);
  }
  return [...groups.values()];
}

/** Finds the files that patterns match, sorted by path. Walks only below the literal prefix of each pattern. Rejects on abort. */
async function findByGlobs(sources: readonly string[], options: FindOptions): Promise<readonly Candidate[]> {
  const { names, roots, proof, slices, time, skipped } = options;
  const visitor = new WalkFindings('glob', skipped);
  const walker = new DirectoryWalker({
    roots,
    proof,
    slices,
    visitor,
    maxEntries: maxWalkedEntries,
    time,
    visitsOnce: false,
  });
  const patterns = parsePatterns(sources, skipped);
  const ends = new Map<string, WalkEnd[]>();
  for (const { place, sought } of groupByPlace(patterns, names)) {
    const end = place === null ? outsideRoots : await walker.walk(place, wantMatches(sought));
    for (const { source } of sought) {
      ends.set(source, [...(ends.get(source) ?? []), isNothing(end) ? 'complete' : end]);
    }
  }
  for (const [source, ended] of ends) {
    visitor.conclude(source, ended, { reason: 'pattern-without-match' });
  }
  return visitor.candidates();
}

function parsePatterns(sources: readonly string[], skipped: SkippedFiles): ReadonlyMap<string, GlobPattern> {
  const patterns = new Map<string, GlobPattern>();
  let remainingCost = maxCost;
  for (const source of new Set(sources)) {
    const parsed = parseGlobPattern(source);
    if (!parsed.ok) {
      skipped.addNamed(source, 'glob', { reason: 'pattern-refused', detail: parsed.problem });
    } else if (parsed.pattern.cost > remainingCost) {
      skipped.addNamed(source, 'glob', {
        reason: 'pattern-refused',
        detail: 'too intricate, with the others of this call',
      });
    } else {
      remainingCost -= parsed.pattern.cost;
      patterns.set(source, parsed.pattern);
    }
  }
  return patterns;
}

type Search = {
  /** Null outside the roots. */
  readonly place: NamedPath | null;
  readonly sought: SoughtBranch[];
};

/** Patterns with the same start directory share one walk. */
function groupByPlace(patterns: ReadonlyMap<string, GlobPattern>, names: AllowedRoots): Iterable<Search> {
  const searches = new Map<string | null, Search>();
  for (const [source, { branches }] of patterns) {
    for (const branch of branches) {
      const place = names.locate(branch.directory);
      const key = place?.absolutePath ?? null;
      const search = searches.get(key) ?? { place, sought: [] };
      search.sought.push({ source, branch });
      searches.set(key, search);
    }
  }
  return searches.values();
}

/** Nothing matches in a missing directory, which needs no further report. */
function isNothing(end: WalkEnd): boolean {
  return typeof end !== 'string' && (end.reason === 'not-found' || end.reason === 'not-a-directory');
}

type FindOptions = {
  readonly names: AllowedRoots;
  readonly roots: RealRoots;
  readonly proof: DescriptorProof;
  readonly slices: TimeSlices;
  readonly time: WalkTime;
  readonly skipped: SkippedFiles;
};

/** Finds the files below named directories, sorted by path. Rejects on abort. */
async function findInDirectories(
  directories: readonly string[],
  { names, roots, proof, slices, time, skipped }: FindOptions,
): Promise<readonly Candidate[]> {
  const visitor = new WalkFindings('directory', skipped);
  const walker = new DirectoryWalker({
    roots,
    proof,
    slices,
    visitor,
    maxEntries: maxWalkedEntries,
    time,
    visitsOnce: true,
  });
  for (const source of new Set(directories)) {
    const place = names.locate(source);
    if (place === null) {
      skipped.addNamed(source, 'directory', { reason: 'outside-roots' });
      continue;
    }
    const end = await walker.walk(place, wantEverything(source));
    visitor.conclude(source, [end], { reason: 'not-found', detail: 'contains only ignored files' });
  }
  return visitor.candidates();
}
