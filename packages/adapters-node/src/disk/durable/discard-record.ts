import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from '../../processes/error-code.ts';
import { createTag, discardedName, goneName, headName, type RecordVersion } from './record-names.ts';

/** Removes a record in one step, even while it is being written. Resolves to whether the record existed. */
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

/** Removes a record only if `head` is still its newest version: a save in between keeps the record. */
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
