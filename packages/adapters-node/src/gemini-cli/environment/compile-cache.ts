import { readdir, rm } from 'node:fs/promises';
import { ensurePrivateDirectory } from '../../disk/private-directory.ts';

/** Whether this Node, which also runs the CLI, has such a cache. One older than 22.1 passes over the variable. */
export const keepsCompiledCode: boolean = Number.parseInt(process.versions.node, 10) >= 22;

/** One version of the CLI on one version of Node takes 26 files of 6 MB together. */
const maxEntries = 200;

/**
 * The variable that makes Node keep what it compiles of the CLI in `directory`. Makes the directory and empties it if it has grown too
 * large; without a private directory the variable is left out. Not for a run whose tools may write anywhere: what is there becomes
 * code of later runs. A process adds to the cache as it exits, one that is killed does not.
 */
export async function compileCacheVariables(directory: string): Promise<Readonly<Record<string, string>>> {
  try {
    await ensurePrivateDirectory(directory);
    const entries = await readdir(directory, { recursive: true });
    if (entries.length > maxEntries) {
      await Promise.all(
        (await readdir(directory)).map((name) => rm(`${directory}/${name}`, { recursive: true, force: true })),
      );
    }
    return { NODE_COMPILE_CACHE: directory };
  } catch {
    return {};
  }
}
