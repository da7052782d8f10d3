import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { CallDirectory } from '@gemini-mcp/core';
import { findRealPath } from '../disk/pin-paths.ts';
import { isWithin } from '../processes/path-containment.ts';
import { isMountable } from './settings/sandbox.ts';

/** The working directory of a run. */
export type WorkDirectory =
  /** An empty directory of its own. */
  | { readonly kind: 'empty' }
  /** An empty directory, with the call's directory added to it. */
  | { readonly kind: 'added'; readonly directory: string }
  /** The call's directory itself: its settings and its GEMINI.md apply. */
  | { readonly kind: 'trusted'; readonly directory: string };

export const emptyPlace: WorkDirectory = { kind: 'empty' };

export type PlaceRefusal = { readonly kind: 'refused'; readonly detail: string };

/** Real paths, resolved when the server started. */
export type AllowedDirectories = {
  readonly roots: readonly string[];
  readonly trustedDirectories: readonly string[];
  /** They hold messages of other callers: no run works in one. */
  readonly privateDirectories: readonly string[];
};

/**
 * Chooses the working directory of a run with all tools. Compares real paths, so that a link leads only to directories that are allowed
 * under their own name. Resolves the directory once: opening it detects a later replacement.
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
    return refuse(`${path} is outside the allowed directories`);
  }
  if (sandbox && !isMountable(real)) {
    return refuse(`${path} has a comma or a colon in its name: a container cannot mount it`);
  }
  const isTrusted = liesWithin(real, allowed.trustedDirectories);
  // The flag that adds directories takes a list separated by commas.
  return !isTrusted && real.includes(',')
    ? refuse(`${path} has a comma in its name`)
    : { kind: isTrusted ? 'trusted' : 'added', directory: real };
}

/** Trust does not override the roots of a request. */
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

/** Longer names are left out: the name takes room from the message. */
const maxNamedCharacters = 1_000;

/** Names the added directory. Null without one, or if the CLI would take its name for a placeholder. */
export function describeWorkDirectory(place: WorkDirectory): string | null {
  return place.kind !== 'added' || place.directory.length > maxNamedCharacters || /[{}\p{Cc}]/u.test(place.directory)
    ? null
    : `The directory to work on is ${place.directory}.`;
}
