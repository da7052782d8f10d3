import { randomBytes } from 'node:crypto';
import { readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncDirectory } from './sync-directory.ts';
import { writeDraft } from './write-draft.ts';

/** A writer that was killed leaves its draft. One that is alive has long been done with it. */
const draftAgeMs = 3_600_000;

/** Puts a private file under a name, or in the place of what has it: whole, or not at all. Its directory has to be there. */
export async function replacePrivateFile(path: string, text: string): Promise<void> {
  const directory = dirname(path);
  const draft = join(directory, `.${basename(path)}-${randomBytes(6).toString('hex')}`);
  try {
    await writeDraft(draft, text);
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
  await syncDirectory(directory).catch(() => undefined);
}

/** Takes away the drafts of writers that were killed. Never rejects. */
export async function sweepDrafts(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((one) => one.startsWith('.'))) {
    const path = join(directory, name);
    const stats = await stat(path).catch(() => null);
    if (stats !== null && Date.now() - stats.mtimeMs > draftAgeMs) {
      await unlink(path).catch(() => undefined);
    }
  }
}
