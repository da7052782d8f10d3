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
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(createTag());
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

/** Takes the lock of a process that is gone away. */
async function isAbandoned(path: string): Promise<boolean> {
  const tag = await readFile(path, 'utf8').catch(() => '');
  if (tag !== '' && seemsAlive(tag)) {
    return false;
  }
  await rm(path, { force: true });
  return true;
}
