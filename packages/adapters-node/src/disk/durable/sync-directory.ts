import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Flushes the names in a directory to the disk. Does nothing on Windows, which does not need it. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') {
    return;
  }
  const directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
