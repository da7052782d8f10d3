import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ConfigurationError } from '@gemini-mcp/server';

export type GuardedFile = {
  readonly path: string;
  /** What is kept from others: to see it, or only to change it. */
  readonly guarded: 'contents' | 'integrity';
  readonly maxBytes: number;
};

// Not waiting for a pipe that has no writer. Windows has none of these.
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * The text of a file on which access rests, null where there is none. What is opened is looked at, so that no one can
 * exchange it after the look. Throws a `ConfigurationError` where it is no regular file, or others could do to it what they
 * must not; on Windows, which has no such permissions, that is not looked at.
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
  // One byte more than allowed: a file that has grown since it was looked at is refused, not cut.
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
