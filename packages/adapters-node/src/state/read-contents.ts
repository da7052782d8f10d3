import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { decodeUtf8 } from '../files/text-decoding.ts';
import { openContents } from './open-contents.ts';

/** What a file says as JSON, or why it is none that we have written. */
export type Contents = { readonly value: unknown } | { readonly reason: string };

/** Reads a file of at most `maxBytes`. Resolves to null where there is none; rejects where the system refuses. */
export async function readContents(path: string, maxBytes: number): Promise<Contents | null> {
  const file = await openContents(path);
  if (file === null || 'reason' in file) {
    return file;
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
