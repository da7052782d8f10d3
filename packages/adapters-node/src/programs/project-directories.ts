import { realpath } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { isWithin } from '../files/path-containment.ts';
import type { Environment } from '../gemini-cli/environment/child-environment.ts';
import { accountHome, homeDirectory } from '../process/home-directory.ts';
import { systemDirectories } from './system-directories.ts';

export type ProjectDirectoriesOptions = {
  readonly environment: Environment;
  /** Directories that calls may read. */
  readonly roots: readonly string[];
};

/** npm names here the project from which it started us. */
const npmVariables = ['INIT_CWD', 'npm_config_local_prefix'] as const;

/**
 * The directories whose files a stranger may have written, by their names and by their real paths: the one in which this
 * process was started, the roots, and the project from which npm started us. The user's home, and what holds that or the
 * programs of the system, is not one of them: all programs would be a project's.
 */
export async function projectDirectories(options: ProjectDirectoriesOptions): Promise<readonly string[]> {
  const { environment, roots } = options;
  const ofNpm = npmVariables.flatMap((name) => environment[name] ?? []).filter((path) => isAbsolute(path));
  const named = [...startedIn(), ...roots, ...ofNpm].map((path) => resolve(path));
  const homes = await withRealPaths([homeDirectory(environment), accountHome() ?? []].flat());
  const kept = [...homes, ...(await withRealPaths(systemDirectories))];
  const directories = await withRealPaths(named);
  return directories.filter((directory) => !kept.some((place) => isWithin(directory, place)));
}

/** Nothing where the directory is gone: no path leads below it any more. */
function startedIn(): readonly string[] {
  try {
    return [process.cwd()];
  } catch {
    return [];
  }
}

async function withRealPaths(paths: readonly string[]): Promise<readonly string[]> {
  const reals = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
  return [...new Set([...paths, ...reals])];
}
