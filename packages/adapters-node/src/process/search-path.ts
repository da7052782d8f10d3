import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** The ways in which an executable's name may end: on Windows only what needs no shell. */
const endings = process.platform === 'win32' ? ['.exe'] : [''];

/**
 * Finds an executable file by name. Relative and empty entries of the search path are passed over, as are directories
 * that anybody may write to: whoever starts a server from a hostile directory must not run its programs.
 */
export async function searchPath(name: string, path: string): Promise<string | null> {
  for (const directory of await trustedDirectories(path)) {
    for (const ending of endings) {
      const candidate = join(directory, name + ending);
      if (await isExecutableFile(candidate)) {
        return candidate;
      }
    }
  }
  return null;
}

/** The entries of a search path that count, in order. */
export async function trustedDirectories(path: string): Promise<readonly string[]> {
  const entries = path.split(delimiter).filter((entry) => isAbsolute(entry));
  const trusted = await Promise.all(entries.map(async (entry) => ((await isWritableByAnybody(entry)) ? [] : [entry])));
  return trusted.flat();
}

/** A search path for programs that we start, which follow no such rules of their own. */
export async function trustedPath(path: string): Promise<string> {
  return (await trustedDirectories(path)).join(delimiter);
}

export async function isExecutableFile(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function isWritableByAnybody(directory: string): Promise<boolean> {
  if (process.platform === 'win32') {
    return false;
  }
  const stats = await stat(directory).catch(() => null);
  return stats !== null && (stats.mode & 0o002) !== 0;
}
