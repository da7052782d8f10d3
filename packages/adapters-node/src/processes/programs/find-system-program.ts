import { join } from 'node:path';
import { isExecutableFile } from './is-executable-file.ts';
import { ProgramTrust } from './program-trust.ts';

/** The directories of a system's own programs: the usual ones first, then that of NixOS. Empty on Windows. */
export const systemDirectories: readonly string[] =
  process.platform === 'win32' ? [] : ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin'];

/** Programs found in the system's own directories: only root can change their contents. */
const known = new Map<string, string>();

/**
 * Finds a program of the system, such as `setpriv`, only in the system's own directories and never through PATH. Null if it is missing or
 * its place is not safe.
 */
export async function findSystemProgram(
  name: string,
  directories: readonly string[] = systemDirectories,
): Promise<string | null> {
  const before = directories === systemDirectories ? known.get(name) : undefined;
  if (before !== undefined && (await isExecutableFile(before))) {
    return before;
  }
  const found = await search(name, directories);
  if (found !== null && directories === systemDirectories) {
    known.set(name, found);
  }
  return found;
}

async function search(name: string, directories: readonly string[]): Promise<string | null> {
  const judge = new ProgramTrust({ projects: [] });
  for (const directory of directories) {
    const candidate = join(directory, name);
    if ((await isExecutableFile(candidate)) && (await judge.judgeProgram(candidate)) === null) {
      return candidate;
    }
  }
  return null;
}
