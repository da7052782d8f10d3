import type { FileHandle } from 'node:fs/promises';
import { errorCode } from './error-code.ts';
import { openContents } from './open-contents.ts';

/** What a file says as JSON, or why it is not looked at: the rest of a sentence that begins with `it`. */
export type PrivateJson = { readonly value: unknown } | { readonly reason: string };

/** Reads a file that this user alone may write. Resolves to null where there is none. Never rejects. */
export async function readPrivateJson(path: string, maxBytes: number): Promise<PrivateJson | null> {
  try {
    const file = await openContents(path);
    return file === null || 'reason' in file ? file : await readOpened(file, maxBytes).finally(() => file.close());
  } catch (error) {
    return { reason: `it cannot be read (${errorCode(error) ?? 'failed'})` };
  }
}

async function readOpened(file: FileHandle, maxBytes: number): Promise<PrivateJson> {
  const stats = await file.stat();
  if (!stats.isFile() || stats.size > maxBytes) {
    return { reason: `it is no file of at most ${maxBytes} bytes` };
  }
  if (process.platform !== 'win32' && (stats.uid !== process.getuid?.() || (stats.mode & 0o022) !== 0)) {
    return { reason: 'other users may write it' };
  }
  const text = await file.readFile('utf8');
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { reason: 'it is not JSON' };
  }
}
