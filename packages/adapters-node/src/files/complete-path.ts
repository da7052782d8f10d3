import type { Clock } from '@gemini-mcp/core';
import { AllowedRoots } from '../disk/allowed-roots.ts';
import {
  chooseDescriptorProof,
  closeDescriptor,
  type DescriptorProof,
  type OpenFileRequest,
  openVerified,
} from '../disk/open-verified.ts';
import type { PinnedPaths } from '../disk/pin-paths.ts';
import { isSensitivePath } from '../disk/sensitive-names.ts';
import { TimeSlices } from '../disk/time-slices.ts';
import { type DirectoryEntry, listDirectory } from '../disk/walk/list-directory.ts';
import { isSkippedDirectory, isSkippedFile } from '../disk/walk/skip-list.ts';
import { entryPath } from '../processes/path-containment.ts';

/** With too many matches a person types on; a directory of a million names must not make them wait. */
const maxEntries = 5_000;

/** Each link costs up to two openings of its target. */
const maxLinks = 100;

const maxPathCharacters = 4_096;

/** Would look like something else in a list of suggestions, or stands for invalid UTF-8. */
const deceptive = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffd]/u;

export type PathCompleterOptions = {
  /** The base of relative names; a root itself. */
  readonly workingDirectory: string;
  /** Further directories below which files may be read. */
  readonly roots: readonly string[];
  /** As in `AllowedRootsOptions`; resolved on construction if missing. */
  readonly pinned?: PinnedPaths;
  /** Files and directories whose names and contents are never suggested, whatever the roots. Defaults to an empty list. */
  readonly privateDirectories?: readonly string[];
  readonly clock: Clock;
};

/** Suggests paths that begin with the prefix. */
export type CompletePath = (prefix: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Creates a function that completes a path with the names in one directory, in the form that the caller began to write: directories end
 * with `/`, sorted as paths. Never suggests anything outside the roots, a link that leads there, a name that suggests a secret, or a name
 * that walks skip; suggests hidden names only after a leading dot. Checks at most 5,000 names. A path that cannot be read yields an empty
 * list; rejects only on abort.
 */
export function createPathCompleter(options: PathCompleterOptions): CompletePath {
  const proof = chooseDescriptorProof();
  const roots = new AllowedRoots(options);
  return async (prefix, signal) => {
    signal.throwIfAborted();
    const slices = new TimeSlices({ clock: options.clock, deadlineAtMs: Number.POSITIVE_INFINITY }, signal);
    const suggestions = prefix.length > maxPathCharacters ? [] : await suggest(prefix, roots, proof, slices);
    signal.throwIfAborted();
    return suggestions;
  };
}

type Where = Pick<OpenFileRequest, 'roots' | 'proof'>;

async function suggest(
  prefix: string,
  roots: AllowedRoots,
  proof: DescriptorProof,
  slices: TimeSlices,
): Promise<readonly string[]> {
  const where = { roots: roots.real(), proof };
  const typed = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const beginning = prefix.slice(typed.length);
  const place = roots.locate(typed);
  if (place === null) {
    return [];
  }
  const listing = await listDirectory({ path: place.absolutePath, followsLink: true, maxEntries, ...where }, slices);
  if (!listing.ok) {
    return [];
  }
  // The server's own files are refused when named, so they are not suggested either.
  const isReadable = (name: string): boolean => where.roots.contains(entryPath(listing.realPath, name));
  const begun = listing.entries.filter(({ name }) => isBegun(name, beginning) && isReadable(name));
  const links = begun.filter(({ kind }) => kind === 'link').slice(0, maxLinks);
  const suggestions: string[] = [];
  for (const entry of begun) {
    if (slices.isUsedUp) {
      await slices.next();
    }
    const path = entryPath(listing.realPath, entry.name);
    suggestions.push(...suggestEntry(links.includes(entry) ? followLink(entry, path, where) : entry, path));
  }
  return suggestions.map((name) => typed + name);
}

function suggestEntry({ name, kind }: DirectoryEntry, path: string): readonly string[] {
  if (!isOffered({ name, kind }, path)) {
    return [];
  }
  return [kind === 'directory' ? `${name}/` : name];
}

function followLink({ name }: DirectoryEntry, path: string, where: Where): DirectoryEntry {
  return { name, kind: kindBehindLink(path, where) };
}

function isBegun(name: string, beginning: string): boolean {
  const isHidden = name.startsWith('.') && !beginning.startsWith('.');
  return name.startsWith(beginning) && !isHidden && !deceptive.test(name);
}

function isOffered({ name, kind }: DirectoryEntry, path: string): boolean {
  switch (kind) {
    case 'file':
      return !(isSkippedFile(name) || isSensitivePath(path));
    case 'directory':
      return !(isSkippedDirectory(name) || isSensitivePath(path));
    default:
      return false;
  }
}

/** `other` for a link that leads out of the roots or to a secret. */
function kindBehindLink(path: string, where: Where): DirectoryEntry['kind'] {
  const directory = realPathOf({ path, kind: 'directory', followsLink: true, ...where });
  if (directory !== null) {
    return isSensitivePath(directory) ? 'other' : 'directory';
  }
  const file = realPathOf({ path, kind: 'file', followsLink: true, ...where });
  return file === null || isSensitivePath(file) ? 'other' : 'file';
}

function realPathOf(request: OpenFileRequest): string | null {
  const opened = openVerified(request);
  if (!opened.ok) {
    return null;
  }
  closeDescriptor(opened.descriptor);
  return opened.realPath;
}
