import type { FileHandle } from 'node:fs/promises';
import { errorCode } from '../state/error-code.ts';
import { openContents } from '../state/open-contents.ts';

/** More than an approval has. */
const maxBytes = 16_384;

/** What a file says as JSON, or why it is not looked at. Resolves to null where there is none. Never rejects. */
export async function readApprovalFile(
  path: string,
): Promise<{ readonly value: unknown } | { readonly reason: string } | null> {
  try {
    const file = await openContents(path);
    return file === null || 'reason' in file ? file : await readOpened(file).finally(() => file.close());
  } catch (error) {
    return { reason: `it cannot be read (${errorCode(error) ?? 'failed'})` };
  }
}

async function readOpened(file: FileHandle): Promise<{ readonly value: unknown } | { readonly reason: string }> {
  const stats = await file.stat();
  if (!stats.isFile() || stats.size > maxBytes) {
    return { reason: 'it is no file of an approval' };
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
