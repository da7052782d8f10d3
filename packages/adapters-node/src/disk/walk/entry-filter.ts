import type { GlobBranch } from '../patterns/glob-pattern.ts';
import type { NameTest } from '../patterns/name-matcher.ts';
import { type ProgramPlaces, startMatching, stepProgram } from '../patterns/path-program.ts';

/** The wanted entries of a directory, with the caller's words that want them. Immutable. */
export type EntryFilter = {
  /** The caller's words that may match something in this directory. */
  readonly sources: readonly string[];
  /** Returns the words that match a file of this name. */
  readonly sourcesOf: (name: string) => readonly string[];
  /** The filter for the subdirectory of this name; null if nothing in it is wanted. */
  readonly enter: (name: string) => EntryFilter | null;
};

/** Wants everything at any depth, for one named directory. */
export function wantEverything(source: string): EntryFilter {
  const sources = [source];
  const filter: EntryFilter = { sources, sourcesOf: () => sources, enter: () => filter };
  return filter;
}

/** A branch of the pattern `source` that the caller wrote. */
export type SoughtBranch = {
  readonly source: string;
  readonly branch: GlobBranch;
};

/** Wants everything that the branches match. All branches begin at this directory. */
export function wantMatches(sought: readonly SoughtBranch[]): EntryFilter {
  return filterFrom(sought.map(({ source, branch }) => ({ source, branch, places: startMatching(branch.program) })));
}

type Progress = SoughtBranch & { readonly places: ProgramPlaces };

/** `**` neither enters hidden directories nor matches hidden files. */
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
