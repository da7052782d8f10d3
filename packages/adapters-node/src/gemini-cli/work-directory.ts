import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { CallDirectory } from '@gemini-mcp/core';
import { findRealPath } from '../disk/pin-paths.ts';
import { isWithin } from '../processes/path-containment.ts';
import { isMountable } from './settings/sandbox.ts';

/** Where a run works. */
export type WorkDirectory =
  /** In an empty directory of its own. */
  | { readonly kind: 'empty' }
  /** In an empty directory, to which that of the call is added. */
  | { readonly kind: 'added'; readonly directory: string }
  /** In the directory of the call itself: the settings and the GEMINI.md in it count. */
  | { readonly kind: 'trusted'; readonly directory: string };

export const emptyPlace: WorkDirectory = { kind: 'empty' };

export type PlaceRefusal = { readonly kind: 'refused'; readonly detail: string };

/** Real paths, as they were when the server started. */
export type AllowedDirectories = {
  readonly roots: readonly string[];
  readonly trustedDirectories: readonly string[];
  /** They hold what other callers said: no run works in one. */
  readonly privateDirectories: readonly string[];
};

/**
 * Chooses where a run with all tools works. Decides by real paths, so that a link leads to nothing that is not allowed under its own
 * name. The directory is resolved here and not again: what is put in its place later is noticed where it is opened.
 */
export async function chooseWorkDirectory(
  { path, roots }: CallDirectory,
  sandbox: boolean,
  allowed: AllowedDirectories,
): Promise<WorkDirectory | PlaceRefusal> {
  const real = isAbsolute(path) ? await realDirectory(path) : null;
  if (real === null) {
    return refuse(`${path} is not a directory`);
  }
  if (!isAllowed(real, roots, allowed)) {
    return refuse(`${path} lies below no directory that is allowed`);
  }
  if (sandbox && !isMountable(real)) {
    return refuse(`${path} has a comma or a colon in its name: no container can be shown it`);
  }
  const isTrusted = liesWithin(real, allowed.trustedDirectories);
  // The flag that adds directories takes a list, with commas between them.
  return !isTrusted && real.includes(',')
    ? refuse(`${path} has a comma in its name`)
    : { kind: isTrusted ? 'trusted' : 'added', directory: real };
}

/** Trust makes no exception from the roots that a request brings. */
function isAllowed(
  real: string,
  ownRoots: CallDirectory['roots'],
  { roots, trustedDirectories, privateDirectories }: AllowedDirectories,
): boolean {
  const isWithinOwn = ownRoots === undefined || liesWithin(real, ownRoots);
  const isGiven = liesWithin(real, [...roots, ...trustedDirectories]);
  return isGiven && isWithinOwn && !liesWithin(real, privateDirectories.map(findRealPath));
}

function refuse(detail: string): PlaceRefusal {
  return { kind: 'refused', detail };
}

function liesWithin(real: string, directories: readonly string[]): boolean {
  return directories.some((directory) => isWithin(directory, real));
}

async function realDirectory(path: string): Promise<string | null> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : null;
  } catch {
    return null;
  }
}

/** A longer one is not named: the name counts against the room for the message. */
const maxNamedCharacters = 1_000;

/** Names the directory that was added. Null if there is none, or if the CLI would take its name for a placeholder. */
export function describePlace(place: WorkDirectory): string | null {
  return place.kind !== 'added' || place.directory.length > maxNamedCharacters || /[{}\p{Cc}]/u.test(place.directory)
    ? null
    : `The directory to work on is ${place.directory}.`;
}
