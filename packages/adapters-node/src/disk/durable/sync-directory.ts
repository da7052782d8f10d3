import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Has the names in a directory written to the disk. Windows has no such thing, and needs none. */
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
