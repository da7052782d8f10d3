import { lstatSync, readdirSync, rmSync } from 'node:fs';
import nodeModule from 'node:module';
import { isAbsolute, join } from 'node:path';
import { defaultStateDirectory, homeDirectory } from '@gemini-mcp/adapters-node/startup';

export type CompiledCodeSources = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of the command line. */
  readonly args: readonly string[];
};

/** Two files of half a megabyte for each version of Node and each place where the server is installed. */
const maxEntries = 40;

/**
 * Lets Node (22.1 and later) keep what it compiles from now on in the state directory, and take it from there at the next
 * start. Nothing happens where that directory is not there yet, or where anybody else could put code into it. Never throws.
 */
export function cacheCompiledCode({ environment, args }: CompiledCodeSources): void {
  // The types are those of Node 20.
  if (!('enableCompileCache' in nodeModule && typeof nodeModule.enableCompileCache === 'function')) {
    return;
  }
  // Flags are read by what is to come from the cache.
  if (args.some((arg) => arg.startsWith('--state-dir'))) {
    return;
  }
  const home = homeDirectory(environment);
  const stateDirectory =
    environment['GEMINI_MCP_STATE_DIR'] || defaultStateDirectory('gemini-mcp-server', environment, home);
  const directory = join(stateDirectory, 'compiled');
  if (isAbsolute(stateDirectory) && isPrivate(stateDirectory) === true && isPrivate(directory) !== false) {
    removeOverfull(directory);
    nodeModule.enableCompileCache(directory);
  }
}

/** Null where nothing is. */
function isPrivate(directory: string): boolean | null {
  try {
    const stats = lstatSync(directory);
    // Windows keeps the directory of a user from others by itself.
    const mayOthersWrite =
      process.getuid !== undefined && (stats.uid !== process.getuid() || (stats.mode & 0o022) !== 0);
    return stats.isDirectory() && !mayOthersWrite;
  } catch {
    return null;
  }
}

/** Versions that are gone leave their files behind. */
function removeOverfull(directory: string): void {
  try {
    if (readdirSync(directory, { recursive: true }).length > maxEntries) {
      rmSync(directory, { recursive: true, force: true });
    }
  } catch {
    // Not there yet, or another server has just removed it.
  }
}
