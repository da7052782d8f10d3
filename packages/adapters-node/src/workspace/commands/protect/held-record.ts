import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { type HeldTop, takeAwayFrom } from './name-holder.ts';

const recordName = 'held-names.json';

const identity = { dev: z.number(), ino: z.number() };

const recordSchema = z.array(
  z.object({
    directory: z.string(),
    identity: z.object(identity),
    sinceMs: z.number(),
    names: z.array(
      z.object({ path: z.string(), kind: z.enum(['file', 'directory']), identity: z.object(identity).nullable() }),
    ),
  }),
);

/**
 * Records in a run's directory which names its commands hold, or are about to create, so that a sweep finds them if the server is killed.
 * Rejects with the reason if the file system refuses.
 */
export async function recordHeld(runDirectory: string, held: readonly HeldTop[]): Promise<void> {
  const path = join(runDirectory, recordName);
  await writeFile(`${path}.new`, JSON.stringify(held), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Call this when a run holds nothing more, before removing anything. Never throws. */
export function forgetHeld(runDirectory: string): void {
  try {
    rmSync(join(runDirectory, recordName), { force: true });
  } catch {
    // The directory is removed with the run.
  }
}

/** The records in the directories of other runs, including those of other servers. Never throws. */
export function readOthersHeld(runDirectory: string): readonly HeldTop[] {
  const runs = namesIn(dirname(runDirectory)).filter((name) => name !== basename(runDirectory));
  return runs.flatMap((name) => readRecord(join(dirname(runDirectory), name)));
}

/** Removes the names recorded in the directory of a run whose server is gone, except those that other runs hold as well. Never throws. */
export function releaseRecorded(runDirectory: string): void {
  const tops = readRecord(runDirectory);
  forgetHeld(runDirectory);
  const others = tops.length === 0 ? [] : readOthersHeld(runDirectory);
  for (const top of tops) {
    takeAwayFrom(top, others);
  }
}

function readRecord(runDirectory: string): readonly HeldTop[] {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(join(runDirectory, recordName), 'utf8')));
  } catch {
    return [];
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
