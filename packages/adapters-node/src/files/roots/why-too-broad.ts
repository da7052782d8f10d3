import path from 'node:path';

export type WhyTooBroadOptions = {
  /** Absolute, a real path. */
  readonly directory: string;
  /** Home directories of the user, real paths. */
  readonly homes: readonly string[];
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

/**
 * Why a directory is not a root unless the operator sets it, as words that follow "it": a client that starts a server there has not chosen
 * it. Null for any other directory.
 */
export function whyTooBroad({ directory, homes, platform }: WhyTooBroadOptions): string | null {
  const isWindows = platform === 'win32';
  const paths = isWindows ? path.win32 : path.posix;
  const family = isWindows ? 'windows' : 'posix';
  if (paths.parse(directory).root === directory) {
    return 'holds the whole file system';
  }
  if (systemPlaces[family].test(directory)) {
    return 'belongs to the operating system';
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
