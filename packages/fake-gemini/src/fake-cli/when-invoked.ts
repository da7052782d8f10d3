import { watch } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { type CliInvocation, readInvocations } from './read-invocations.ts';

/** Resolves to the runs once there are at least `count`. The directory must exist. Waiting does not keep the process alive. */
export function whenInvoked(directory: string, count: number): Promise<readonly CliInvocation[]> {
  return whenFound(directory, async () => {
    const invocations = await readInvocations(directory);
    return invocations.length >= count ? invocations : null;
  });
}

/** Resolves once a `touch` step has created the file. The directory must exist. Waiting does not keep the process alive. */
export async function whenFileExists(directory: string, name: string): Promise<void> {
  await whenFound(directory, async () => {
    const failure = await access(join(directory, name)).catch((error: unknown) => error);
    return failure === undefined ? true : null;
  });
}

/** Calls `look` at once, and again after each change in the directory, until it finds something. */
export function whenFound<T>(directory: string, look: () => Promise<T | null>): Promise<T> {
  return new Promise((resolve, reject) => {
    const check = (): void => {
      look().then((found) => {
        if (found !== null) {
          watcher.close();
          resolve(found);
        }
      }, reject);
    };
    // Watching begins before the first look, so that no change in between is missed.
    const watcher = watch(directory, { persistent: false }, check).once('error', reject);
    check();
  });
}
