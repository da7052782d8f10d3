import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const draftFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Writes a file of this user's own, which must not be there, and waits until the disk has it. */
export async function writeDraft(path: string, text: string): Promise<void> {
  const file = await open(path, draftFlags, 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
