import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { RunSettings } from '@gemini-mcp/core';
import { isWithin } from '../../files/path-containment.ts';
import { findRealPath } from '../../files/pin-paths.ts';
import { isMountable } from '../settings/sandbox.ts';

/** What a run sees of the directory that its request names. */
export type DirectoryView =
  /** Nothing: it works in an empty directory of its own. */
  | { readonly kind: 'none' }
  /** A copy of what may be read of the directory: it works there. */
  | { readonly kind: 'copy'; readonly directory: string }
  /** The directory, added to an empty one in which it works, for tools that may do everything. */
  | { readonly kind: 'added'; readonly directory: string }
  /** The directory itself: it works there, and the settings and the GEMINI.md in it count. */
  | { readonly kind: 'trusted'; readonly directory: string };

export type DirectoryRefusal = { readonly kind: 'refused'; readonly detail: string };

export type AllowedDirectories = {
  /** Real paths, as they were when the server started, like the two below. */
  readonly roots: readonly string[];
  readonly trustedDirectories: readonly string[];
  /** They hold what other callers said: no run sees one. */
  readonly privateDirectories: readonly string[];
};

type DirectoryOptions = Partial<AllowedDirectories> & {
  /** Private always. */
  readonly runsDirectory: string;
};

/** The directories of a runner: none of a sort where it was given none. */
export function allowedDirectories({
  runsDirectory,
  roots = [],
  trustedDirectories = [],
  privateDirectories = [],
}: DirectoryOptions): AllowedDirectories {
  return { roots, trustedDirectories, privateDirectories: [runsDirectory, ...privateDirectories] };
}

/**
 * Decides by real paths, so that a link leads to nothing that is not allowed under its own name. The directory is resolved
 * here and not again: what is put in its place later is told from it where it is opened.
 */
export async function chooseView(
  settings: Pick<RunSettings, 'directory' | 'tools' | 'sandbox' | 'roots'>,
  options: AllowedDirectories,
): Promise<DirectoryView | DirectoryRefusal> {
  const { directory, tools, sandbox } = settings;
  if (directory === null) {
    return { kind: 'none' };
  }
  const real = isAbsolute(directory) ? await realDirectory(directory) : null;
  if (real === null) {
    return refuse(`${directory} is not a directory`);
  }
  const isTrusted = liesWithin(real, options.trustedDirectories);
  if (!isAllowed({ real, isTrusted, roots: settings.roots }, options)) {
    return refuse(`${directory} lies below no directory that is allowed`);
  }
  const view = isTrusted ? ({ kind: 'trusted', directory: real } as const) : viewFor(real, tools);
  const isShown = view.kind === 'trusted' || view.kind === 'added';
  return sandbox && isShown && !isMountable(real)
    ? refuse(`${directory} has a comma or a colon in its name: no container can be shown it`)
    : view;
}

type Asked = { readonly real: string; readonly isTrusted: boolean; readonly roots: RunSettings['roots'] };

/** Trust makes no exception from the roots that a request brings. */
function isAllowed({ real, isTrusted, roots }: Asked, options: AllowedDirectories): boolean {
  const isGiven = isTrusted || liesWithin(real, options.roots);
  const isWithinOwn = roots === undefined || liesWithin(real, roots);
  return isGiven && isWithinOwn && !liesWithin(real, options.privateDirectories.map(findRealPath));
}

/** The real paths below which a call may have something copied: those of the runner as far as the request's own reach. */
export function copyRoots(
  settings: Pick<RunSettings, 'roots'>,
  { roots }: Pick<AllowedDirectories, 'roots'>,
): string[] {
  const own = settings.roots;
  if (own === undefined) {
    return [...roots];
  }
  return [...roots.filter((root) => liesWithin(root, own)), ...own.filter((root) => liesWithin(root, roots))];
}

function viewFor(directory: string, tools: RunSettings['tools']): DirectoryView | DirectoryRefusal {
  switch (tools) {
    case 'none':
    case 'web-search':
      return { kind: 'none' };
    case 'read-only':
      return { kind: 'copy', directory };
    case 'everything':
      // The flag takes a list, with commas between the directories.
      return directory.includes(',') ? refuse(`${directory} has a comma in its name`) : { kind: 'added', directory };
  }
}

function refuse(detail: string): DirectoryRefusal {
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
export function describeView(view: DirectoryView): string | null {
  if (view.kind !== 'copy' && view.kind !== 'added') {
    return null;
  }
  const { directory } = view;
  if (directory.length > maxToldCharacters || /[{}\p{Cc}]/u.test(directory)) {
    return null;
  }
  return view.kind === 'copy'
    ? `Your tools see a copy of the directory ${directory} as their working directory: use names relative to it.`
    : `The directory to work on is ${directory}.`;
}
