import { lstatSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { defaultStateDirectory, findExposure, homeDirectory } from '@gemini-mcp/adapters-node/internal/startup';

export type CompiledCodeSources = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of the command line. */
  readonly args: readonly string[];
};

/**
 * The cache directory for compiled code, in the state directory. Null if that directory does not exist yet, if other users could
 * put code into it, or if Node's own variable disables such caches. Never throws.
 */
export function compiledCodeDirectory({ environment, args }: CompiledCodeSources): string | null {
  // The code that reads flags comes from the cache itself.
  if (environment['NODE_DISABLE_COMPILE_CACHE'] || args.some((arg) => arg.startsWith('--state-dir'))) {
    return null;
  }
  const home = homeDirectory(environment);
  const stateDirectory =
    environment['GEMINI_MCP_STATE_DIR'] || defaultStateDirectory('gemini-mcp-server', environment, home);
  const directory = join(stateDirectory, 'compiled');
  return isAbsolute(stateDirectory) && isSafe(stateDirectory, directory) ? directory : null;
}

/** As strict as the start of the server, which only follows the modules loaded from here. */
function isSafe(stateDirectory: string, directory: string): boolean {
  try {
    return lstatSync(stateDirectory).isDirectory() && findExposure(stateDirectory) === null && isOwn(directory);
  } catch {
    // Missing or unreadable.
    return false;
  }
}

/** Also for a path that does not exist yet. */
function isOwn(directory: string): boolean {
  const stats = lstatSync(directory, { throwIfNoEntry: false });
  // Windows itself keeps other users out of a user's directory.
  const isOthers = process.getuid !== undefined && (stats?.uid !== process.getuid() || (stats.mode & 0o022) !== 0);
  return stats === undefined || (stats.isDirectory() && !isOthers);
}
