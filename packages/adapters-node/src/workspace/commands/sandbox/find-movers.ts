import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { listProcessIds } from '../../../processes/marked-processes.ts';
import { isWithin } from '../../../processes/path-containment.ts';
import { isAlive } from '../../../processes/process-identity.ts';
import { parseMounts } from './mount-table.ts';
import type { ProjectMount } from './project-mounts.ts';
import { unseenNamesFile } from './sandbox-view.ts';

/** Long enough for few turns of the event loop: /proc is slow on some machines. */
const sliceMs = 5;

/**
 * Finds the sandboxes of this user, in this server and others, that lack a mount at a place which is to be mounted now: it was not
 * protected yet when they were created, so a process in them can rename it, and the mount would be made wherever a link in its place leads.
 * Resolves to the top process of each. Never rejects.
 */
export async function findMovers(
  mounts: readonly ProjectMount[],
  roots: readonly string[],
): Promise<ReadonlySet<number>> {
  const wanted = mounts.filter(
    ({ source, path }) => source.type !== 'memory' && roots.some((root) => isWithin(root, path)),
  );
  const paths = wanted.map(({ path }) => path);
  const movers = new Set<number>();
  let sliceStartedAtMs = performance.now();
  for (const pid of listProcessIds() ?? []) {
    if (canMove(pid, paths) && isOurs(pid)) {
      movers.add(pid);
    }
    if (performance.now() - sliceStartedAtMs > sliceMs) {
      await setImmediate();
      sliceStartedAtMs = performance.now();
    }
  }
  return movers;
}

/** Whether it is the first process in a sandbox in which one of the paths can be renamed. */
function canMove(pid: number, paths: readonly string[]): boolean {
  const writable = readWritable(pid);
  const within = paths.filter((path) => writable.some((directory) => isWithin(directory, path)));
  if (within.length === 0) {
    return false;
  }
  const mounted = readMounted(pid);
  // The process outside the sandbox has the same arguments, but does not see the mounts inside.
  return mounted === null || (mounted.has(unseenNamesFile) && within.some((path) => !mounted.has(path)));
}

/**
 * The host directories that a sandbox was told to make writable: anything else, such as its `/tmp`, is its own. No process inside can
 * change that. Empty for any other process.
 */
function readWritable(pid: number): readonly string[] {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const walls = words.includes(unseenNamesFile) ? words.slice(0, words.indexOf('--')) : [];
    return walls.flatMap((option, index) => {
      const [source, path] = [walls[index + 1], walls[index + 2]];
      const isWritable = option === '--bind-fd' || (option === '--bind' && source === path);
      return isWritable && path !== undefined ? [path] : [];
    });
  } catch {
    return [];
  }
}

/** Null if the process exists, but does not show its mounts. */
function readMounted(pid: number): ReadonlySet<string> | null {
  try {
    return new Set(parseMounts(readFileSync(`/proc/${pid}/mountinfo`, 'utf8')).map(({ path }) => path));
  } catch {
    return isAlive({ pid, startTicks: null }) ? null : new Set();
  }
}

/** Other users' processes must be left alone: the mounts are compared in any case. */
function isOurs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
