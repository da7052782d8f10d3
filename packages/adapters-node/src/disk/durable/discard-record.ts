import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from '../../processes/error-code.ts';
import { createTag, discardedName, goneName, headName, type RecordVersion } from './record-names.ts';

/** Takes a record away in one step, whatever is being written in it. Resolves to whether there was something. */
export async function discardRecord(directory: string): Promise<boolean> {
  const discarded = join(dirname(directory), discardedName(createTag()));
  try {
    await rename(directory, discarded);
  } catch (error) {
    if (isMissing(error)) {
      return false;
    }
    throw error;
  }
  await rm(discarded, { recursive: true, force: true }).catch(() => undefined);
  return true;
}

/** Takes a record away if that version is still its newest one: a save that came in between keeps it. */
export async function retireRecord(directory: string, head: RecordVersion): Promise<void> {
  try {
    await rename(join(directory, headName(head)), join(directory, goneName));
  } catch (error) {
    if (isMissing(error)) {
      return;
    }
    throw error;
  }
  await discardRecord(directory);
}
