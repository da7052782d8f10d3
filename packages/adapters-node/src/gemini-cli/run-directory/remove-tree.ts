import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const removal = { recursive: true, force: true, maxRetries: 3 } as const;

/**
 * Removes a directory of ours with everything below it, also what a program has shut there against its own user. Follows no link. Rejects
 * where something stays.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, removal);
  } catch {
    await openAll(path);
    await rm(path, removal);
  }
}

/** Directories that cannot be opened are left to the removal, which says why. */
async function openAll(directory: string): Promise<void> {
  try {
    await chmod(directory, 0o700);
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      if (entry.isDirectory()) {
        await openAll(join(directory, entry.name));
      }
    }
  } catch {
    // It is another user's, or gone.
  }
}
