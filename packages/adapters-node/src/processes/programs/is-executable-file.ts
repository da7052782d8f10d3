import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';

/** Whether a path leads, through links, to a file that this user may execute. */
export async function isExecutableFile(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
