import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensurePrivateDirectory } from '../private-directory.ts';
import { describeOwner, touchEveryMs } from './run-owner.ts';

/** The places of one run; all lie in one private directory that goes with the run. */
export type RunDirectory = {
  readonly runId: string;
  readonly root: string;
  readonly temporary: string;
  /** Writes files below `root`. Rejects with the reason when the file system does not let it. */
  write(files: readonly PrivateFile[]): Promise<void>;
  /** Never rejects: what cannot be removed now is left to the next run or sweep. */
  remove(): Promise<void>;
};

export type PrivateFile = {
  /** Relative to the root of the run. */
  readonly path: string;
  readonly content: string | Uint8Array;
};

export const ownerFileName = 'owner.json';

/** Whether a directory may be one of ours: nothing else in the directory of all runs is touched. */
export function isRunId(name: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name);
}

/** Makes the directory of a new run. Rejects with the reason if the file system does not let it; then nothing of it is left. */
export async function createRunDirectory(runsDirectory: string): Promise<RunDirectory> {
  await removeAbandoned();
  await ensurePrivateDirectory(runsDirectory);
  const runId = randomUUID();
  const root = join(runsDirectory, runId);
  const directory: RunDirectory = {
    runId,
    root,
    temporary: join(root, 'tmp'),
    write: (files) => writeFiles(root, files),
    remove: () => {
      clearInterval(touching);
      return removeRun(root);
    },
  };
  const touching = setInterval(() => touch(join(root, ownerFileName)), touchEveryMs).unref();
  try {
    await mkdir(root, { mode: 0o700 });
    await directory.write([{ path: ownerFileName, content: JSON.stringify(describeOwner()) }]);
    await mkdir(directory.temporary, { mode: 0o700 });
  } catch (error) {
    await directory.remove();
    throw error;
  }
  return directory;
}

/** Runs of this process that could not be removed when they ended. */
const abandoned = new Set<string>();

/** Tries again to remove what this process could not remove. Never rejects. */
export async function removeAbandoned(): Promise<void> {
  for (const root of abandoned) {
    await removeRun(root);
  }
}

async function removeRun(root: string): Promise<void> {
  try {
    await removeTree(root);
    abandoned.delete(root);
  } catch {
    abandoned.add(root);
  }
}

/** Shows servers that cannot look up our process that it is there. */
function touch(ownerFile: string): void {
  const now = new Date();
  void utimes(ownerFile, now, now).catch(() => undefined);
}

async function writeFiles(root: string, files: readonly PrivateFile[]): Promise<void> {
  for (const { path, content } of files) {
    const target = join(root, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFile(target, content, { mode: 0o600 });
  }
}

const removal = { recursive: true, force: true, maxRetries: 3 } as const;

/** Removes a directory with everything below it, also the directories in it that a program made unreadable. Follows no link. Rejects if something stays. */
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
