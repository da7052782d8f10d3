import { realpathSync } from 'node:fs';
import { accountHome } from '../../processes/programs/home-directory.ts';
import { whyTooBroad } from './why-too-broad.ts';

/** What was set, by an operator or in code; null and empty where that is nothing. */
export type DirectorySettings = {
  readonly workingDirectory: string | null;
  readonly roots: readonly string[];
  readonly trustedDirectories: readonly string[];
};

/** How the program was started whose directories are chosen. */
export type ProgramStart = {
  readonly currentDirectory: string;
  /** The home directory that the environment names. */
  readonly home: string;
  /** What the reason calls the program, such as `the server`. */
  readonly program: string;
};

export type ChosenDirectories = {
  readonly workingDirectory: string;
  readonly roots: readonly string[];
  readonly noRootBecause: string | null;
};

/**
 * Where relative names begin, and what may be read. The directory of the start is a root, unless it is too broad and was not
 * set: then the first directory that was set takes its place, and where there is none, there is no root.
 */
export function chooseDirectories(
  { workingDirectory, roots, trustedDirectories }: DirectorySettings,
  { currentDirectory, home, program }: ProgramStart,
): ChosenDirectories {
  const started = workingDirectory ?? currentDirectory;
  const reason = workingDirectory === null ? whyNoRoot(currentDirectory, home) : null;
  if (reason === null) {
    return { workingDirectory: started, roots, noRootBecause: null };
  }
  const [first, ...others] = roots.length > 0 ? roots : trustedDirectories;
  return first === undefined
    ? { workingDirectory: started, roots: [], noRootBecause: `${program} was started in ${started}, which ${reason}` }
    : { workingDirectory: first, roots: roots.length > 0 ? others : [], noRootBecause: null };
}

/** As `whyTooBroad`, by the real path; for a directory of this machine and this user, whose home the environment names. */
export function whyNoRoot(directory: string, home: string): string | null {
  const homes = [home, accountHome() ?? []].flat();
  return whyTooBroad({ directory: realPath(directory), homes: homes.map(realPath), platform: process.platform });
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
