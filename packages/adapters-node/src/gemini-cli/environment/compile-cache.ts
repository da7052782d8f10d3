import { readdir, rm } from 'node:fs/promises';
import { ensurePrivateDirectory } from '../../disk/private-directory.ts';

/** Whether this Node, which also runs the CLI, has such a cache. Node before 22.1 ignores the variable. */
export const keepsCompiledCode: boolean = Number.parseInt(process.versions.node, 10) >= 22;

/** One version of the CLI on one version of Node takes 26 files, 6 MB together. */
const maxEntries = 200;

/**
 * The variable that makes Node cache the compiled CLI in `directory`. Creates the directory, and empties it if it has grown too large;
 * without a private directory, sets no variable. Not for a run whose tools may write anywhere: later runs execute the cached code. A
 * process adds to the cache when it exits, but not when it is killed.
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
