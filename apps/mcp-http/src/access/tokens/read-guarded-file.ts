import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ConfigurationError } from '@gemini-mcp/server';

export type GuardedFile = {
  readonly path: string;
  /** `contents`: other users may neither read nor change the file. `integrity`: they may not change it. */
  readonly guarded: 'contents' | 'integrity';
  readonly maxBytes: number;
};

// Without O_NONBLOCK, opening a pipe would wait for a writer. Windows has neither flag.
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Reads a file that controls access; null if missing. Checks the open file, so that it cannot be replaced after the check. Rejects with a
 * `ConfigurationError` if it is not a regular file, is too large, is not UTF-8, or if other users have access that `guarded` forbids.
 * Does not check permissions on Windows.
 */
export async function readGuardedFile(file: GuardedFile): Promise<string | null> {
  const handle = await openFile(file.path);
  if (handle === null) {
    return null;
  }
  try {
    const problem = findProblem(file, await handle.stat());
    if (problem !== null) {
      throw new ConfigurationError(`${file.path}: ${problem}`);
    }
    return await readText(file, handle);
  } finally {
    await handle.close();
  }
}

async function openFile(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, flags);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') {
      return null;
    }
    throw new ConfigurationError(`${path}: cannot be opened (${code})`, { cause: error });
  }
}

function findProblem({ path, guarded, maxBytes }: GuardedFile, stats: Stats): string | null {
  if (!stats.isFile()) {
    return 'is not a regular file';
  }
  if (stats.size > maxBytes) {
    return `has ${stats.size} bytes; at most ${maxBytes} are read`;
  }
  return process.platform === 'win32' ? null : findOpenDoor({ path, guarded }, stats);
}

function findOpenDoor({ path, guarded }: Pick<GuardedFile, 'path' | 'guarded'>, { uid, mode }: Stats): string | null {
  const owners = guarded === 'contents' ? [process.getuid?.()] : [process.getuid?.(), 0];
  if (!owners.includes(uid)) {
    return 'belongs to another user';
  }
  if (guarded === 'contents' && (mode & 0o077) !== 0) {
    return `can be read or changed by other users; run: chmod 600 ${path}`;
  }
  return (mode & 0o022) === 0 ? null : `can be changed by other users; run: chmod go-w ${path}`;
}

async function readText({ path, maxBytes }: GuardedFile, handle: FileHandle): Promise<string> {
  // One byte over the limit, so that a file that grew after the check is refused, not truncated.
  const buffer = Buffer.alloc(maxBytes + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    length += bytesRead;
    if (bytesRead === 0 || length === buffer.length) {
      break;
    }
  }
  if (length > maxBytes) {
    throw new ConfigurationError(`${path}: has more than ${maxBytes} bytes`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, length));
  } catch (cause) {
    throw new ConfigurationError(`${path}: is not UTF-8`, { cause });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
