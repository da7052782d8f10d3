import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Something in our place that we cannot have written, and where it went. */
export type Quarantined = {
  readonly path: string;
  readonly reason: string;
};

/** Enough to look into what happened; a disk must not fill with files that no one can read. */
const maxQuarantined = 16;

/**
 * Moves the file at `path` out of the way, to `<path>.corrupt-<time>`, without following or opening it. Of all that was
 * moved next to it, the newest 16 stay. Resolves to the new path, null where it cannot be moved.
 */
export async function quarantine(path: string, nowMs: number): Promise<string | null> {
  const target = await freeName(`${path}.corrupt-`, nowMs);
  try {
    await rename(path, target);
  } catch {
    return null;
  }
  await removeOldest(dirname(path)).catch(() => undefined);
  return target;
}

async function freeName(prefix: string, nowMs: number): Promise<string> {
  for (let timeMs = nowMs; ; timeMs += 1) {
    const stats = await lstat(`${prefix}${timeMs}`).catch(() => null);
    if (stats === null) {
      return `${prefix}${timeMs}`;
    }
  }
}

async function removeOldest(directory: string): Promise<void> {
  const timeOf = (name: string): number => Number(/\.corrupt-(\d+)$/.exec(name)?.[1]);
  const names = (await readdir(directory)).filter((name) => Number.isFinite(timeOf(name)));
  const surplus = names.sort((a, b) => timeOf(b) - timeOf(a)).slice(maxQuarantined);
  await Promise.all(surplus.map((name) => rm(join(directory, name), { recursive: true, force: true })));
}
