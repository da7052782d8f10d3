import { join } from 'node:path';
import { isExecutableFile } from './is-executable-file.ts';
import { ProgramTrust } from './program-trust.ts';

/** Where a system keeps its own programs, first the usual places, then the one of NixOS. Empty on Windows. */
export const systemDirectories: readonly string[] =
  process.platform === 'win32' ? [] : ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin'];

/** What was found in the system's own directories: only root can change what lies there. */
const known = new Map<string, string>();

/**
 * Finds a program of the system, such as `setpriv`, in the system's own directories and nowhere else, PATH least of all.
 * Null where there is none, or where its place is not safe.
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
