import { closeSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { errorCode, isMissing } from './error-code.ts';
import { foreignCodes, readFlags } from './open-contents.ts';

/** What a file says as JSON, or why it is not looked at: the rest of a sentence that begins with `it`. */
export type PrivateJson = { readonly value: unknown } | { readonly reason: string };

/**
 * Reads a file that this user alone may write. Resolves to null where there is none. Never rejects. Its calls to the system are synchronous: at
 * its start a process reads a file or two for each server, and the thread pool takes several times as long for the same.
 */
export async function readPrivateJson(path: string, maxBytes: number): Promise<PrivateJson | null> {
  try {
    const file = openSync(path, readFlags);
    try {
      return readOpened(file, maxBytes);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (isMissing(error)) {
      return null;
    }
    const code = errorCode(error);
    return { reason: foreignCodes.has(code) ? 'not a file of its own' : `it cannot be read (${code ?? 'failed'})` };
  }
}

function readOpened(file: number, maxBytes: number): PrivateJson {
  const stats: Stats = fstatSync(file);
  if (!stats.isFile() || stats.size > maxBytes) {
    return { reason: `it is no file of at most ${maxBytes} bytes` };
  }
  if (process.platform !== 'win32' && (stats.uid !== process.getuid?.() || (stats.mode & 0o022) !== 0)) {
    return { reason: 'other users may write it' };
  }
  const text = readFileSync(file, 'utf8');
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { reason: 'it is not JSON' };
  }
}
