import { resolve } from 'node:path';
import type { Clock, StepResult } from '@gemini-mcp/core';
import { refused } from '@gemini-mcp/core/internal';
import { closeDescriptor, openVerified } from '../../disk/open-verified.ts';
import { parseGlobPattern } from '../../disk/patterns/glob-pattern.ts';
import { TimeSlices } from '../../disk/time-slices.ts';
import { type SoughtBranch, wantEverything, wantMatches } from '../../disk/walk/entry-filter.ts';
import { DirectoryWalker, type WalkEnd, type WalkedEntry } from '../../disk/walk/walk-directory.ts';
import { WalkTime } from '../../disk/walk/walk-time.ts';
import { refuseTarget } from './refuse-target.ts';
import type { RunReach } from './run-reach.ts';

export type RunWalk = {
  readonly directory: string;
  /** Relative to the directory; null for all files. */
  readonly pattern: string | null;
};

export type WalkedFiles =
  | {
      readonly ok: true;
      readonly files: readonly WalkedEntry[];
      readonly isComplete: boolean;
    }
  /** `problem` names in a few words the rule that the pattern breaks. */
  | { readonly ok: false; readonly problem: string };

/** Ends a walk of a whole disk. */
const maxEntries = 200_000;
const maxWalkMs = 20_000;

/** The cost of a pattern for each name compared, as for the patterns of a call. */
const maxPatternCost = 8_192;

/** The real path of the directory that a name leads to. */
export function openRunDirectory(reach: RunReach, name: string): StepResult<string> {
  const located = reach.locate(name);
  if (!located.ok) {
    return located;
  }
  const { roots, proof } = reach;
  const path = located.value.absolutePath;
  const opened = openVerified({ path, kind: 'directory', roots, proof, followsLink: true });
  if (!opened.ok) {
    return refused(refuseTarget(name, opened));
  }
  closeDescriptor(opened.descriptor);
  return { ok: true, value: opened.realPath };
}

/** Finds the files below a directory, except those that ignore files and the skip list exclude. Rejects on abort. */
export async function walkRunFiles(
  { reach, clock }: { readonly reach: RunReach; readonly clock: Clock },
  { directory, pattern }: RunWalk,
  signal: AbortSignal,
): Promise<WalkedFiles> {
  const starts = findStarts(directory, pattern);
  if (typeof starts === 'string') {
    return { ok: false, problem: starts };
  }
  const slices = new TimeSlices({ clock, deadlineAtMs: clock.now() + maxWalkMs }, signal);
  const files = new Map<string, WalkedEntry>();
  const visitor = {
    entry: (entry: WalkedEntry): void => void files.set(entry.absolutePath, entry),
    refused: (): void => undefined,
    visitedBefore: (): void => undefined,
  };
  const { roots, proof } = reach;
  const time = new WalkTime(slices);
  const walker = new DirectoryWalker({ roots, proof, slices, visitor, maxEntries, time, visitsOnce: false });
  const ends: WalkEnd[] = [];
  for (const [path, sought] of starts) {
    const real = openRunDirectory(reach, path);
    if (real.ok) {
      const place = { absolutePath: real.value, displayPath: reach.display(real.value) };
      ends.push(await walker.walk(place, sought.length === 0 ? wantEverything('') : wantMatches(sought)));
    }
  }
  return { ok: true, files: [...files.values()], isComplete: ends.every(isComplete) };
}

/** The start directories with the branches below each; a few words if the pattern is refused. */
function findStarts(directory: string, pattern: string | null): ReadonlyMap<string, readonly SoughtBranch[]> | string {
  if (pattern === null) {
    return new Map([[directory, []]]);
  }
  const parsed = parseGlobPattern(pattern);
  if (!parsed.ok) {
    return parsed.problem;
  }
  if (parsed.pattern.cost > maxPatternCost || pattern.startsWith('/')) {
    return pattern.startsWith('/') ? 'it is absolute, but must be relative' : 'it is too intricate';
  }
  const starts = new Map<string, SoughtBranch[]>();
  for (const branch of parsed.pattern.branches) {
    const path = resolve(directory, branch.directory);
    starts.set(path, [...(starts.get(path) ?? []), { source: pattern, branch }]);
  }
  return starts;
}

/** A missing directory contains no files, which needs no further report. */
function isComplete(end: WalkEnd): boolean {
  return end === 'complete' || (typeof end !== 'string' && end.reason !== 'search-stopped');
}
