import { join } from 'node:path';
import { isExecutableFile } from './is-executable-file.ts';
import { PlaceJudge } from './place-judge.ts';
import { systemDirectories } from './system-directories.ts';

/**
 * Finds a program of the system, such as `setpriv`, in the system's own directories and nowhere else, PATH least of all.
 * Null where there is none, or where its place is not safe.
 */
export async function findSystemProgram(
  name: string,
  directories: readonly string[] = systemDirectories,
): Promise<string | null> {
  const judge = new PlaceJudge({ projects: [] });
  for (const directory of directories) {
    const candidate = join(directory, name);
    if ((await isExecutableFile(candidate)) && (await judge.judgeProgram(candidate)) === null) {
      return candidate;
    }
  }
  return null;
}
