import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errorCode, isMissing } from '../../processes/error-code.ts';

// Never block on a pipe without a writer. Windows has neither flag.
export const readFlags: number = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The errors of open(2) for a link or a socket in place of a file. */
export const foreignCodes: ReadonlySet<string | null> = new Set(['ELOOP', 'EMLINK', 'ENXIO', 'EISDIR']);

/** Opens a file for reading, without following a link. Resolves to null if the file is missing; rejects if the system refuses. */
export async function openContents(path: string): Promise<FileHandle | { readonly reason: string } | null> {
  try {
    return await open(path, readFlags);
  } catch (error) {
    if (isMissing(error)) {
      return null;
    }
    if (foreignCodes.has(errorCode(error))) {
      return { reason: 'not a regular file' };
    }
    throw error;
  }
}
