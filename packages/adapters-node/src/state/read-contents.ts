import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { decodeUtf8 } from '../files/text-decoding.ts';
import { errorCode, isMissing } from './error-code.ts';

/** What a file says as JSON, or why it is none that we have written. */
export type Contents = { readonly value: unknown } | { readonly reason: string };

// Not blocking on a pipe that nobody writes to. Windows has neither flag.
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What open(2) answers for a link, or a socket, in the place of a file. */
const foreignCodes: ReadonlySet<string | null> = new Set(['ELOOP', 'EMLINK', 'ENXIO', 'EISDIR']);

/** Reads a file of at most `maxBytes`. Resolves to null where there is none; rejects where the system refuses. */
export async function readContents(path: string, maxBytes: number): Promise<Contents | null> {
  let file: FileHandle;
  try {
    file = await open(path, readFlags);
  } catch (error) {
    if (isMissing(error)) {
      return null;
    }
    if (foreignCodes.has(errorCode(error))) {
      return { reason: 'not a file of its own' };
    }
    throw error;
  }
  try {
    return await parseContents(file, maxBytes);
  } finally {
    await file.close();
  }
}

async function parseContents(file: FileHandle, maxBytes: number): Promise<Contents> {
  const stats = await file.stat();
  if (!stats.isFile()) {
    return { reason: 'not a file of its own' };
  }
  if (stats.size > maxBytes) {
    return { reason: `${stats.size} bytes, more than the ${maxBytes} that one may have` };
  }
  const bytes = await file.readFile();
  try {
    return isUtf8(bytes) ? { value: JSON.parse(decodeUtf8(bytes)) } : { reason: 'not JSON in UTF-8' };
  } catch {
    return { reason: 'not JSON in UTF-8' };
  }
}
