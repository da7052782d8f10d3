import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { CoveredPath } from '../sandbox/sandbox-view.ts';
import { takeAway } from './name-holder.ts';

const recordName = 'held-names.json';

const recordSchema = z.array(z.object({ path: z.string(), kind: z.enum(['file', 'directory']) }));

/** Notes in the directory of a run what its commands may hold, so that a sweep finds it when the server is killed. */
export async function recordHeld(runDirectory: string, held: readonly CoveredPath[]): Promise<void> {
  await writeFile(join(runDirectory, recordName), JSON.stringify(held), { mode: 0o600 });
}

/** Takes away what is noted in the directory of a run whose server is gone. Never rejects. */
export async function releaseRecorded(runDirectory: string): Promise<void> {
  const path = join(runDirectory, recordName);
  const record = recordSchema.safeParse(await readJson(path));
  for (const place of record.success ? record.data : []) {
    takeAway(place);
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
