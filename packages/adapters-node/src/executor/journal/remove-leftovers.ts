import { lstat, readdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '@gemini-mcp/core';
import type { RealRoots } from '../../files/real-roots.ts';
import { TimeSlices } from '../../files/time-slices.ts';
import { isLeftTemporaryName } from '../temporary-name.ts';
import { reachPlace } from './reach-place.ts';
import type { RunAccount } from './run-account.ts';
import { scanTree } from './scan-tree.ts';

export type Leftovers = {
  readonly account: RunAccount;
  /** Real paths. */
  readonly directories: readonly string[];
  readonly roots: RealRoots;
  readonly clock: Clock;
};

const limits = { maxFiles: 50_000, maxBytes: Number.POSITIVE_INFINITY, maxEntries: 200_000 };

/**
 * Removes the temporary files that a killed process left next to files which it was about to change: in the directories of what it changed, and in
 * all that are watched, where those are not too many. Never rejects.
 */
export async function removeLeftovers(leftovers: Leftovers, signal: AbortSignal): Promise<void> {
  try {
    const candidates = [...(await inDirectoriesOf(leftovers)), ...(await inWatched(leftovers, signal))];
    for (const path of new Set(candidates)) {
      await reachPlace(path, leftovers.roots, async (at) => {
        await ((await lstat(at)).isFile() ? unlink(at) : undefined);
      }).catch(() => undefined);
    }
  } catch {
    // They are in no one's way: the next undo tries again.
  }
}

async function inDirectoriesOf({ account, roots }: Leftovers): Promise<readonly string[]> {
  const found: string[] = [];
  for (const directory of new Set(account.paths.map(({ path }) => dirname(path)))) {
    const reached = await reachPlace(join(directory, 'any'), roots, (at) => readdir(dirname(at))).catch(() => null);
    const names = reached?.reached === true ? reached.value : [];
    found.push(...names.filter(isLeftTemporaryName).map((name) => join(directory, name)));
  }
  return found;
}

async function inWatched({ directories, roots, clock }: Leftovers, signal: AbortSignal): Promise<readonly string[]> {
  const slices = new TimeSlices({ clock, deadlineAtMs: Number.POSITIVE_INFINITY }, signal);
  const scan = await scanTree({ directories, roots, limits, slices, earlier: null, reopens: false });
  return [...scan.places.keys()].filter((path) => isLeftTemporaryName(basename(path)));
}
