import { realpathSync } from 'node:fs';
import path from 'node:path';
import { accountHome } from '../processes/programs/home-directory.ts';

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
  /** Directories of packages and plugins that the program belongs to. */
  readonly packages: readonly string[];
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
  { currentDirectory, home, packages, program }: StartDirectories,
): ChosenDirectories {
  const started = workingDirectory ?? currentDirectory;
  const reason = workingDirectory === null ? whyNoRoot(currentDirectory, home, packages) : null;
  if (reason === null) {
    return { workingDirectory: started, roots, noRootBecause: null };
  }
  const [first, ...others] = roots.length > 0 ? roots : trustedDirectories;
  return first === undefined
    ? { workingDirectory: started, roots: [], noRootBecause: `${program} was started in ${started}, which ${reason}` }
    : { workingDirectory: first, roots: roots.length > 0 ? others : [], noRootBecause: null };
}

/** Like `whyTooBroad`, for a directory of this machine and this user, by real path. `home` is the home directory in the environment. */
export function whyNoRoot(directory: string, home: string, packages: readonly string[] = []): string | null {
  const homes = [home, accountHome() ?? []].flat();
  return whyTooBroad({
    directory: realPath(directory),
    homes: homes.map(realPath),
    packages: packages.map(realPath),
    platform: process.platform,
  });
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

type WhyTooBroadOptions = {
  /** Absolute, a real path. */
  readonly directory: string;
  /** Home directories of the user, real paths. */
  readonly homes: readonly string[];
  /** Directories of packages and plugins, real paths. */
  readonly packages: readonly string[];
  readonly platform: NodeJS.Platform;
};

/** The usual parents of home directories, and WSL's names for those on Windows drives. */
const usualHomes = {
  posix: /^\/(?:(?:home|Users|mnt\/[a-z]\/users)(?:\/[^/]+)?|root|(?:private\/)?var\/root|mnt\/[a-z])$/i,
  windows: /^[a-z]:\\users(?:\\[^\\]+)?$/i,
};

/** Clients start servers in the system's directory, or in a program's. */
const systemPlaces = {
  posix: /^\/mnt\/[a-z]\/(?:windows|program files(?: \(x86\))?)(?:\/|$)/i,
  windows: /^[a-z]:\\(?:windows|program files(?: \(x86\))?)(?:\\|$)/i,
};

/** Where package managers and clients install packages, plugins and extensions. */
const installed =
  /[\\/](?:node_modules|_npx|\.(?:claude|codex|copilot|cursor|agents)[\\/]plugins|\.(?:gemini|qwen|cursor|vscode(?:-insiders|-oss|-server)?)[\\/]extensions|Claude Extensions)(?:[\\/]|$)/i;

/**
 * Why a directory is not a root unless the operator sets it, as words that follow "it": a client that starts a server there has not chosen
 * it. Null for any other directory.
 */
export function whyTooBroad({ directory, homes, packages, platform }: WhyTooBroadOptions): string | null {
  const isWindows = platform === 'win32';
  const paths = isWindows ? path.win32 : path.posix;
  const family = isWindows ? 'windows' : 'posix';
  if (paths.parse(directory).root === directory) {
    return 'holds the whole file system';
  }
  if (systemPlaces[family].test(directory)) {
    return 'belongs to the operating system';
  }
  if (installed.test(directory) || packages.some((each) => isBelow(paths.relative(each, directory), paths))) {
    return 'belongs to an installed package, plugin or extension';
  }
  const isHome = homes.some((home) => paths.relative(directory, home) === '');
  if (isHome || usualHomes[family].test(directory)) {
    return 'is a home directory or holds home directories';
  }
  return homes.some((home) => isBelow(paths.relative(directory, home), paths)) ? 'holds your home directory' : null;
}

function isBelow(relative: string, paths: path.PlatformPath): boolean {
  return relative !== '..' && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative);
}
