import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { errorCode } from '../state/error-code.ts';

export type SecretFileRead =
  | { readonly read: true; readonly text: string }
  /** The rest of a sentence that begins with the path. */
  | { readonly read: false; readonly reason: string };

/** More than a key or a token has. */
const maxBytes = 65_536;

/** The content of a file without the line break at its end. Never rejects. */
export async function readSecretFile(path: string): Promise<SecretFileRead> {
  try {
    // Not blocking on a pipe without a writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) {
        return { read: false, reason: 'is no file' };
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
