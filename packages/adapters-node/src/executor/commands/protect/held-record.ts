import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
 * Notes in the directory of a run what its commands hold, or are about to make, so that a sweep finds it when the server is killed. Rejects with the reason
 * if the file system does not let it.
 */
export async function recordHeld(runDirectory: string, held: readonly HeldTop[]): Promise<void> {
  const path = join(runDirectory, recordName);
  await writeFile(`${path}.new`, JSON.stringify(held), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Takes away what is noted in the directory of a run whose server is gone. Never rejects. */
export async function releaseRecorded(runDirectory: string): Promise<void> {
  const path = join(runDirectory, recordName);
  const record = recordSchema.safeParse(await readJson(path));
  for (const top of record.success ? record.data : []) {
    takeAwayFrom(top);
  }
  await rm(path, { force: true }).catch(() => undefined);
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}
