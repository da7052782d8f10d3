import { realpathSync } from 'node:fs';
import { accountHome } from '../../processes/programs/home-directory.ts';
import { whyTooBroad } from './why-too-broad.ts';

/** The settings of an operator or in code; null and empty if not set. */
export type DirectorySettings = {
  readonly workingDirectory: string | null;
  readonly roots: readonly string[];
  readonly trustedDirectories: readonly string[];
};

/** How the program was started. */
export type StartDirectories = {
  readonly currentDirectory: string;
  /** The home directory in the environment. */
  readonly home: string;
  /** The program's name in the reason, such as `the server`. */
  readonly program: string;
};

export type ChosenDirectories = {
  readonly workingDirectory: string;
  readonly roots: readonly string[];
  readonly noRootBecause: string | null;
};

/**
 * Chooses the base of relative names and the roots. The start directory is a root, unless it is too broad and was not set: then the first
 * directory that was set takes its place, and without one there are no roots.
 */
export function chooseDirectories(
  { workingDirectory, roots, trustedDirectories }: DirectorySettings,
  { currentDirectory, home, program }: StartDirectories,
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

/** Like `whyTooBroad`, for a directory of this machine and this user, by real path. `home` is the home directory in the environment. */
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
