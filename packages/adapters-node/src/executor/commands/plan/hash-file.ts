import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** SHA-256 of what is in a file, in hex; null where there is none that can be read. */
export async function hashFile(path: string): Promise<string | null> {
  try {
    if (!(await lstat(path)).isFile()) {
      return null;
    }
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex');
  } catch {
    return null;
  }
}
