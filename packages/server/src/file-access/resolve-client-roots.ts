import { realpath, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { whyNoRoot } from '@gemini-mcp/adapters-node/internal/startup';

export type ClientDirectories = {
  /** Real paths of directories, each once, in the client's order. */
  readonly directories: readonly string[];
  /** How many of the client's roots were refused. */
  readonly refused: number;
};

/** No host, because a root is on this machine. Not `file:name`, which Node turns into an absolute path. */
const localFile = /^file:\/\/(?:localhost)?\//i;

/**
 * Resolves a client's root URIs to the current real paths of directories, so that a symlink changed later has no effect. Skips
 * URIs that do not name a directory here or are too broad to be a root.
 */
export async function resolveClientRoots(uris: readonly string[], home: string): Promise<ClientDirectories> {
  const found = await Promise.all(uris.map((uri) => resolveRoot(uri, home)));
  const directories = found.filter((directory) => directory !== null);
  return { directories: [...new Set(directories)], refused: found.length - directories.length };
}

async function resolveRoot(uri: string, home: string): Promise<string | null> {
  const path = pathOf(uri);
  if (path === null) {
    return null;
  }
  try {
    const real = await realpath(path);
    const isDirectory = (await stat(real)).isDirectory();
    return isDirectory && whyNoRoot(real, home) === null ? real : null;
  } catch {
    return null;
  }
}

/** Null for a URI that parsers may read differently. */
function pathOf(uri: string): string | null {
  if (!localFile.test(uri)) {
    return null;
  }
  try {
    const url = new URL(uri);
    const path = url.search === '' && url.hash === '' ? fileURLToPath(url) : null;
    return path === null || path.includes('\0') ? null : path;
  } catch {
    // An encoded slash, or bytes that are not UTF-8.
    return null;
  }
}
