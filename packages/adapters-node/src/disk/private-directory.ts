import { lstatSync, type Stats } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';

/**
 * Creates a directory that only this user can enter, with its parents, and checks it: a link, another owner or wider permissions are
 * refused. Rejects with an `Error` that names the reason.
 */
export async function ensurePrivateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  checkStats(path, await lstat(path));
}

/** Throws an `Error` that explains why a directory is not private to this user. */
export function checkPrivateDirectory(path: string): void {
  checkStats(path, lstatSync(path));
}

function checkStats(path: string, stats: Stats): void {
  if (!stats.isDirectory()) {
    throw new Error(`${path} is not a real directory`);
  }
  if (process.platform === 'win32') {
    return;
  }
  if (stats.uid !== process.getuid?.()) {
    throw new Error(`${path} belongs to another user`);
  }
  if ((stats.mode & 0o077) !== 0) {
    throw new Error(`${path} can be entered by other users (must have mode 0700)`);
  }
}
