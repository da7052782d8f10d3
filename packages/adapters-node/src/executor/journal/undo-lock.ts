import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../state/error-code.ts';
import { createTag, seemsAlive } from '../../state/record-names.ts';

const lockName = 'undoing';

/** Does work that only one process may do with a run at a time. Resolves to null, without doing it, while another process does. */
export async function withUndoLock<Result>(directory: string, act: () => Promise<Result>): Promise<Result | null> {
  const path = join(directory, lockName);
  if (!((await take(path)) || ((await isAbandoned(path)) && (await take(path))))) {
    return null;
  }
  try {
    return await act();
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}

async function take(path: string): Promise<boolean> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    if (errorCode(error) === 'EEXIST') {
      return null;
    }
    throw error;
  });
  // On a full disk the lock stays empty, and holds off no one: an undo that makes room is worth more.
  await file?.writeFile(createTag()).catch(() => undefined);
  await file?.close();
  return file !== null;
}

/** Takes the lock away of a process that is gone. */
async function isAbandoned(path: string): Promise<boolean> {
  const tag = await readFile(path, 'utf8').catch(() => '');
  if (tag !== '' && seemsAlive(tag)) {
    return false;
  }
  await rm(path, { force: true });
  return true;
}
