import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file in our place that we cannot have written, and its new path. */
export type Quarantined = {
  readonly path: string;
  readonly reason: string;
};

/** Enough for an investigation; unreadable files must not fill the disk. */
const maxQuarantined = 16;

/**
 * Moves the file at `path` to `<path>.corrupt-<time>`, without following or opening it, and keeps the newest 16 such files. Resolves to the
 * new path, or null if the file cannot be moved.
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
