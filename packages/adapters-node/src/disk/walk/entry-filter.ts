import type { GlobBranch } from '../patterns/glob-pattern.ts';
import type { NameTest } from '../patterns/name-matcher.ts';
import { type ProgramPlaces, startProgram, stepProgram } from '../patterns/path-program.ts';

/** What of a directory is wanted, and by which of the caller's words. Never changes. */
export type EntryFilter = {
  /** The caller's words that may want something in this directory. */
  readonly sources: readonly string[];
  /** Those of them that want a file of this name. */
  readonly sourcesOf: (name: string) => readonly string[];
  /** What is wanted of the directory of this name; null for nothing. */
  readonly enter: (name: string) => EntryFilter | null;
};

/** Wants everything at any depth, on behalf of one named directory. */
export function wantEverything(source: string): EntryFilter {
  const sources = [source];
  const filter: EntryFilter = { sources, sourcesOf: () => sources, enter: () => filter };
  return filter;
}

/** A branch of the pattern that the caller wrote as `source`. */
export type SoughtBranch = {
  readonly source: string;
  readonly branch: GlobBranch;
};

/** Wants what the branches of some patterns match, all of which begin at this directory. */
export function wantMatches(sought: readonly SoughtBranch[]): EntryFilter {
  return filterFrom(sought.map(({ source, branch }) => ({ source, branch, places: startProgram(branch.program) })));
}

type Progress = SoughtBranch & { readonly places: ProgramPlaces };

/** `**` does not pass over hidden directories, nor match hidden files. */
const isVisible: NameTest = (name) => !name.startsWith('.');

function filterFrom(progress: readonly Progress[]): EntryFilter {
  return {
    sources: unique(progress),
    sourcesOf: (name) =>
      unique(progress.filter(({ branch, places }) => stepProgram(branch.program, places, name, isVisible).matches)),
    enter: (name) => {
      const next = progress
        .map((each) => ({ ...each, places: stepProgram(each.branch.program, each.places, name, isVisible).places }))
        .filter(({ places }) => places.length > 0);
      return next.length === 0 ? null : filterFrom(next);
    },
  };
}

function unique(sought: readonly SoughtBranch[]): readonly string[] {
  return [...new Set(sought.map(({ source }) => source))];
}
