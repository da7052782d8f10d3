import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { RunSettings } from '@gemini-mcp/core';
import { isWithin } from '../../files/path-containment.ts';
import { findRealPath } from '../../files/pin-paths.ts';
import { isMountable } from '../settings/sandbox.ts';

/** Where a run takes place, and what of a directory it gets to see there. */
export type RunPlace =
  /** In an empty directory of its own. */
  | { readonly kind: 'nowhere' }
  /** In a copy of what may be read of the directory. */
  | { readonly kind: 'copy'; readonly directory: string }
  /** In an empty directory of its own, with the directory beside it for tools that may do everything. */
  | { readonly kind: 'beside'; readonly directory: string }
  /** In the directory itself: its settings and its GEMINI.md count. */
  | { readonly kind: 'trusted'; readonly directory: string }
  | { readonly kind: 'refused'; readonly detail: string };

export type RunPlaceOptions = {
  /** Real paths, as they were when the server started, like the two below. */
  readonly roots: readonly string[];
  readonly trustedDirectories: readonly string[];
  /** They hold what other callers said: no run takes place in one. */
  readonly privateDirectories: readonly string[];
};

type DirectoryOptions = Partial<RunPlaceOptions> & {
  /** Private always. */
  readonly runsDirectory: string;
};

/** The directories of a runner: none of a sort where it was given none. */
export function runPlaceOptions({
  runsDirectory,
  roots = [],
  trustedDirectories = [],
  privateDirectories = [],
}: DirectoryOptions): RunPlaceOptions {
  return { roots, trustedDirectories, privateDirectories: [runsDirectory, ...privateDirectories] };
}

/**
 * Decides by real paths, so that a link leads to nothing that is not allowed under its own name. The directory is resolved
 * here and not again: what is put in its place later is told from it where it is opened.
 */
export async function choosePlace(
  settings: Pick<RunSettings, 'directory' | 'tools' | 'sandbox' | 'roots'>,
  options: RunPlaceOptions,
): Promise<RunPlace> {
  const { directory, tools, sandbox } = settings;
  if (directory === null) {
    return { kind: 'nowhere' };
  }
  const real = isAbsolute(directory) ? await realDirectory(directory) : null;
  if (real === null) {
    return refuse(`${directory} is not a directory`);
  }
  const isTrusted = liesWithin(real, options.trustedDirectories);
  if (!isAllowed({ real, isTrusted, roots: settings.roots }, options)) {
    return refuse(`${directory} lies below no directory that is allowed`);
  }
  const place: RunPlace = isTrusted ? { kind: 'trusted', directory: real } : placeOf(real, tools);
  const isShown = place.kind === 'trusted' || place.kind === 'beside';
  return sandbox && isShown && !isMountable(real)
    ? refuse(`${directory} has a comma or a colon in its name: no container can be shown it`)
    : place;
}

type Asked = { readonly real: string; readonly isTrusted: boolean; readonly roots: RunSettings['roots'] };

/** Trust makes no exception from the roots that a request brings. */
function isAllowed({ real, isTrusted, roots }: Asked, options: RunPlaceOptions): boolean {
  const isGiven = isTrusted || liesWithin(real, options.roots);
  const isWithinOwn = roots === undefined || liesWithin(real, roots);
  return isGiven && isWithinOwn && !liesWithin(real, options.privateDirectories.map(findRealPath));
}

/** The real paths below which a call may have something copied: those of the runner as far as the request's own reach. */
export function copyRoots(settings: Pick<RunSettings, 'roots'>, { roots }: Pick<RunPlaceOptions, 'roots'>): string[] {
  const own = settings.roots;
  if (own === undefined) {
    return [...roots];
  }
  return [...roots.filter((root) => liesWithin(root, own)), ...own.filter((root) => liesWithin(root, roots))];
}

function placeOf(directory: string, tools: RunSettings['tools']): RunPlace {
  switch (tools) {
    case 'none':
    case 'web-search':
      return { kind: 'nowhere' };
    case 'read-only':
      return { kind: 'copy', directory };
    case 'everything':
      // The flag takes a list, with commas between the directories.
      return directory.includes(',') ? refuse(`${directory} has a comma in its name`) : { kind: 'beside', directory };
  }
}

function refuse(detail: string): RunPlace {
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

/** Longer ones are not told: what is told counts against the room for the message. */
const maxToldCharacters = 1_000;

/**
 * Tells Gemini what its tools see, so that names which a caller knows lead there. Null where there is nothing to tell, or
 * where the CLI would read a name for a placeholder of its own.
 */
export function describePlace(place: RunPlace): string | null {
  if (place.kind !== 'copy' && place.kind !== 'beside') {
    return null;
  }
  const { directory } = place;
  if (directory.length > maxToldCharacters || /[{}\p{Cc}]/u.test(directory)) {
    return null;
  }
  return place.kind === 'copy'
    ? `Your tools see a copy of the directory ${directory} as their working directory: use names relative to it.`
    : `The directory to work on is ${directory}.`;
}
