import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensurePrivateDirectory } from '../private-directory.ts';
import { describeOwner, touchEveryMs } from './run-owner.ts';

/** The paths of one run, all inside one private directory that is removed with the run. */
export type RunDirectory = {
  readonly runId: string;
  readonly root: string;
  readonly temporary: string;
  /** Writes files below `root`. Rejects with the reason if the file system refuses. */
  write(files: readonly PrivateFile[]): Promise<void>;
  /** Never rejects: anything that cannot be removed now is left to the next run or sweep. */
  remove(): Promise<void>;
};

export type PrivateFile = {
  /** Relative to the root of the run. */
  readonly path: string;
  readonly content: string | Uint8Array;
};

export const ownerFileName = 'owner.json';

/** Whether a directory can be a run's: nothing else in the directory of all runs is touched. */
export function isRunId(name: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name);
}

/** Creates the directory of a new run. If the file system refuses, rejects with the reason and leaves nothing. */
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

/** Runs of this process whose directories could not be removed. */
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

/** A sign of life for servers that cannot look up our process. */
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

/** Removes a directory tree, including directories that a program made unreadable. Follows no link. Rejects if something remains. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, removal);
  } catch {
    await openAll(path);
    await rm(path, removal);
  }
}

/** A directory that cannot be opened is left to the removal, which reports the reason. */
async function openAll(directory: string): Promise<void> {
  try {
    await chmod(directory, 0o700);
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      if (entry.isDirectory()) {
        await openAll(join(directory, entry.name));
      }
    }
  } catch {
    // The directory is gone or belongs to another user.
  }
}
