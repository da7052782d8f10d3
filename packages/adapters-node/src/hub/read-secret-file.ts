import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { trustedOwners } from '../programs/trusted-owners.ts';
import { errorCode } from '../state/error-code.ts';

export type SecretFileRead =
  | { readonly read: true; readonly text: string }
  /** The rest of a sentence that begins with the path. */
  | { readonly read: false; readonly reason: string };

/** More than a key or a token has. */
const maxBytes = 65_536;

/**
 * The content of a file without the line break at its end. A file that others can read or write is refused; who may read one of the
 * administrator's is the administrator's decision. Never rejects.
 */
export async function readSecretFile(path: string): Promise<SecretFileRead> {
  try {
    // Not blocking on a pipe without a writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const fault = findFault(await file.stat());
      if (fault !== null) {
        return { read: false, reason: fault };
      }
      const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0);
      return bytesRead > maxBytes
        ? { read: false, reason: `has more than ${maxBytes} bytes` }
        : { read: true, text: buffer.toString('utf8', 0, bytesRead).replace(/\r?\n$/, '') };
    } finally {
      await file.close();
    }
  } catch (error) {
    return { read: false, reason: `cannot be read (${errorCode(error) ?? 'failed'})` };
  }
}

function findFault(stats: Stats): string | null {
  const { uid, mode } = stats;
  if (!stats.isFile()) {
    return 'is no file';
  }
  if (process.platform === 'win32') {
    return null;
  }
  if (!trustedOwners().has(uid)) {
    return 'belongs to another user';
  }
  const isOwn = uid === process.getuid?.();
  return (mode & (isOwn ? 0o077 : 0o022)) === 0
    ? null
    : `can be ${isOwn ? 'read or ' : ''}changed by other users. Close it with: chmod ${isOwn ? '600' : 'go-w'}`;
}
