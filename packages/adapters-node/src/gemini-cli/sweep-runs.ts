import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { endMarkedProcesses } from '../process/marked-processes.ts';
import { isAlive } from '../process/process-identity.ts';
import { readContents } from '../state/read-contents.ts';
import { isRunId, ownerFileName } from './run-directory.ts';

const ownerSchema = z.object({ pid: z.number().int().positive(), startTicks: z.string().nullable() });

/** A directory without an owner file may be one that is being made this moment. */
const youngestOrphanMs = 60_000;

const maxOwnerBytes = 4_096;

/**
 * Clears away what servers that were killed left behind: processes that carry the marker of their runs, and their
 * directories. Runs of living servers are not touched, nor is anything that is no run. Resolves to the ids of the runs
 * that were cleared; what cannot be removed is left for the next time.
 */
export async function sweepRuns(runsDirectory: string): Promise<readonly string[]> {
  const names = await readdir(runsDirectory).catch(() => []);
  const runIds = await keepIf(names.filter(isRunId), (runId) => isStale(join(runsDirectory, runId)));
  if (runIds.length > 0) {
    await endMarkedProcesses(new Set(runIds));
  }
  return keepIf(runIds, (runId) => removeDirectory(join(runsDirectory, runId)));
}

async function keepIf(
  names: readonly string[],
  isKept: (name: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const kept = await Promise.all(names.map(async (name) => ((await isKept(name)) ? [name] : [])));
  return kept.flat();
}

async function isStale(runDirectory: string): Promise<boolean> {
  const stats = await lstat(runDirectory).catch(() => null);
  if (stats === null || !stats.isDirectory()) {
    return false;
  }
  const contents = await readContents(join(runDirectory, ownerFileName), maxOwnerBytes).catch(() => null);
  if (contents === null || 'reason' in contents) {
    return Date.now() - stats.mtimeMs > youngestOrphanMs;
  }
  const owner = ownerSchema.safeParse(contents.value);
  return !owner.success || !isAlive(owner.data);
}

function removeDirectory(path: string): Promise<boolean> {
  return rm(path, { recursive: true, force: true, maxRetries: 3 }).then(
    () => true,
    () => false,
  );
}
