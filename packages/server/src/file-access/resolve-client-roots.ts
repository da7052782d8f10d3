import { realpath, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { whyNoRoot } from '@gemini-mcp/adapters-node/internal/startup';

export type ClientDirectories = {
  /** Real paths of directories, each once, in the client's order. */
  readonly directories: readonly string[];
  /** How many of the client's roots were refused. */
  readonly refused: number;
};

/** Without a host, because a root is on this machine. Not `file:name`, which Node turns into an absolute path. */
const localFile = /^file:\/\/(?:localhost)?\//i;

/**
 * The directories that a client's URIs name, as they are now: each by its real path, so that a link which is exchanged later
 * leads nowhere else. What is no URI of a directory here, or too broad to be a root, is left out.
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

/** Null for a URI that could mean two things to two readers. */
function pathOf(uri: string): string | null {
  if (!localFile.test(uri)) {
    return null;
  }
  try {
    const url = new URL(uri);
    const path = url.search === '' && url.hash === '' ? fileURLToPath(url) : null;
    return path === null || path.includes('\0') ? null : path;
  } catch {
    // An encoded slash, bytes that are no UTF-8.
    return null;
  }
}
