import { lstatSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Quarantined } from '../disk/durable/quarantine.ts';

/** The separate directories that versions before the record store kept. */
const olderNames = ['sessions', 'answers', 'approvals', 'credentials', 'credential-keys', 'hub'];

/**
 * Moves everything that earlier versions kept in a state directory into one subdirectory, once, before there are records. Returns its path,
 * or null if there is nothing to move or it cannot be moved.
 */
export function setAsideOlderState(stateDirectory: string, nowMs: number): Quarantined | null {
  const names = isThere(join(stateDirectory, 'records')) ? [] : olderNames;
  const found = names.filter((name) => isThere(join(stateDirectory, name)));
  if (found.length === 0) {
    return null;
  }
  const path = join(stateDirectory, `older-format-${nowMs}`);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    for (const name of found) {
      renameSync(join(stateDirectory, name), join(path, name));
    }
    return { path, reason: `an earlier version kept ${found.join(', ')} in a format that this one does not read` };
  } catch {
    return null;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
