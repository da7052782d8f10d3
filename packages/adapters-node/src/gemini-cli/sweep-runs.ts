import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { killMarkedProcesses } from '../process/marked-processes.ts';
import { isAlive } from '../process/process-identity.ts';
import { ownerFileName } from './run-directory.ts';

const ownerSchema = z.object({ pid: z.number().int().positive(), startTicks: z.string().nullable() });

/** A directory without an owner file may be one that is being made this moment. */
const youngestOrphanMs = 60_000;

/**
 * Clears away what servers that were killed left behind: processes that carry the marker of their runs, and their
 * directories. Runs of living servers are not touched. Resolves to the ids of the runs that were cleared.
 */
export async function sweepRuns(runsDirectory: string): Promise<readonly string[]> {
  const names = await readdir(runsDirectory).catch(() => []);
  const stale = await Promise.all(
    names.map(async (name) => ((await isStale(join(runsDirectory, name))) ? [name] : [])),
  );
  const runIds = stale.flat();
  if (runIds.length > 0) {
    killMarkedProcesses(new Set(runIds));
    await Promise.all(
      runIds.map((runId) => rm(join(runsDirectory, runId), { recursive: true, force: true, maxRetries: 3 })),
    );
  }
  return runIds;
}

async function isStale(runDirectory: string): Promise<boolean> {
  try {
    const owner = ownerSchema.safeParse(JSON.parse(await readFile(join(runDirectory, ownerFileName), 'utf8')));
    return !owner.success || !isAlive(owner.data);
  } catch {
    const stats = await stat(runDirectory).catch(() => null);
    return stats !== null && Date.now() - stats.mtimeMs > youngestOrphanMs;
  }
}
