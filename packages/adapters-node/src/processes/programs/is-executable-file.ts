import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';

/** Whether there is a file at a path, links followed, that this user may execute. */
export async function isExecutableFile(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
