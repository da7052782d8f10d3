import { existsSync, fstatSync, lstatSync, readSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { entryPath } from '../../processes/path-containment.ts';
import { canOpenPaths, openForReading, openPath, pathOfDescriptor } from '../descriptor-paths.ts';
import { closeDescriptor } from '../open-verified.ts';
import { toRefusal } from '../refusal.ts';
import { type IgnoreFile, parseIgnoreFile } from './ignore-file.ts';
import type { IgnoreLevel } from './ignore-rules.ts';

/** The nearest directory at or above a path that contains `.git` (a file in a linked work tree); null outside a repository. */
export function findRepositoryRoot(realPath: string): string | null {
  for (let directory = realPath; ; directory = dirname(directory)) {
    if (existsSync(entryPath(directory, '.git'))) {
      return directory;
    }
    if (directory === dirname(directory)) {
      return null;
    }
  }
}

/**
 * Reads the ignore files of one directory; `holds` says by name whether they can exist. Returns null if one exists but is unreadable or
 * implausibly large: without its rules the directory would not be as its owner intends.
 */
export function loadIgnoreFiles(
  directory: string,
  depth: number,
  holds: (name: string) => boolean,
): IgnoreLevel | null {
  const exclude = holds('.git') ? loadIgnoreFile(['.git', 'info', 'exclude'].reduce(entryPath, directory)) : nothing;
  const git = holds('.gitignore') ? loadIgnoreFile(entryPath(directory, '.gitignore')) : nothing;
  const gemini = holds('.geminiignore') ? loadIgnoreFile(entryPath(directory, '.geminiignore')) : nothing;
  return exclude === null || git === null || gemini === null ? null : { depth, git: [git, exclude], gemini: [gemini] };
}

const nothing: IgnoreFile = { rules: [], cost: 0 };

/** Far more than anybody writes. */
const maxFileBytes = 65_536;

// Git does not follow a link here either: rules are part of the repository, not of a link's target.
function loadIgnoreFile(path: string): IgnoreFile | null {
  try {
    const file = openRegularFile(path);
    return file === null ? nothing : readIgnoreFile(file);
  } catch (error) {
    const { reason } = toRefusal(error);
    return reason === 'not-found' || reason === 'not-a-file' ? nothing : null;
  }
}

function readIgnoreFile({ descriptor, stats }: RegularFile): IgnoreFile | null {
  try {
    if (stats.size > maxFileBytes) {
      return null;
    }
    const buffer = Buffer.alloc(stats.size);
    const count = readSync(descriptor, buffer, 0, stats.size, 0);
    return parseIgnoreFile(buffer.toString('utf8', 0, count));
  } finally {
    closeDescriptor(descriptor);
  }
}

type RegularFile = { readonly descriptor: number; readonly stats: Stats };

/**
 * Opens a regular file for reading; returns null for anything else without opening it. Does not follow a final link and does not check
 * where the file lies. Throws file system errors; the caller closes the descriptor.
 */
function openRegularFile(path: string): RegularFile | null {
  if (!canOpenPaths) {
    const stats = lstatSync(path);
    return stats.isFile() ? { descriptor: openForReading(path, false), stats } : null;
  }
  const place = openPath(path, false);
  try {
    const stats = fstatSync(place);
    return stats.isFile() ? { descriptor: openForReading(pathOfDescriptor(place)), stats } : null;
  } finally {
    closeDescriptor(place);
  }
}
