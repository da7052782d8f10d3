import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errorCode, isMissing } from '../../processes/error-code.ts';

// Not blocking on a pipe without a writer. Windows has neither flag.
export const readFlags: number = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What open(2) answers for a link, or a socket, in the place of a file. */
export const foreignCodes: ReadonlySet<string | null> = new Set(['ELOOP', 'EMLINK', 'ENXIO', 'EISDIR']);

/** Opens a file for reading, and no link to one. Resolves to null where there is none; rejects where the system refuses. */
export async function openContents(path: string): Promise<FileHandle | { readonly reason: string } | null> {
  try {
    return await open(path, readFlags);
  } catch (error) {
    if (isMissing(error)) {
      return null;
    }
    if (foreignCodes.has(errorCode(error))) {
      return { reason: 'not a file of its own' };
    }
    throw error;
  }
}
