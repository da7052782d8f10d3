import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { listProcessIds } from '../../../processes/marked-processes.ts';

export type TreeUsage = {
  readonly processes: number;
  /** Memory private to one process. Excludes shared memory, which outlives its mapping and may belong to no process. */
  readonly ownBytes: number;
};

export type MachineMemory = {
  readonly totalBytes: number;
  /** What programs could get without swapping. */
  readonly availableBytes: number;
  /** All files in memory, shared segments and shared mappings, mapped or not. */
  readonly sharedBytes: number;
};

const pageBytes = 4_096;

/** Long enough for few turns of the event loop: /proc is slow on some machines, and a command may have thousands of processes. */
const sliceMs = 5;

/** Reads /proc in slices, and ignores processes that are gone. Never rejects. */
export async function readTreeUsage(tops: ReadonlySet<number>): Promise<TreeUsage> {
  const pids = await listTree(tops);
  return { processes: pids.length, ownBytes: pids.reduce((sum, pid) => sum + readOwnPages(pid) * pageBytes, 0) };
}

/** The top processes and all their descendants. Never rejects. */
export async function listTree(tops: ReadonlySet<number>): Promise<readonly number[]> {
  const parents = new Map<number, number>();
  let sliceStartedAtMs = performance.now();
  for (const pid of listProcessIds() ?? []) {
    const parent = readParent(pid);
    if (parent !== null) {
      parents.set(pid, parent);
    }
    if (performance.now() - sliceStartedAtMs > sliceMs) {
      await setImmediate();
      sliceStartedAtMs = performance.now();
    }
  }
  const isBelow = new Map<number, boolean>();
  return [...parents.keys()].filter((pid) => belongs(pid, { tops, parents, isBelow }));
}

/** The number of threads on the machine, in one quick look; null if unavailable. */
export function countAllThreads(): number | null {
  try {
    const count = Number(/\/(\d+) \d+\s*$/.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1]);
    return Number.isInteger(count) ? count : null;
  } catch {
    return null;
  }
}

/** One quick look; null if the system does not report it. */
export function readMachineMemory(): MachineMemory | null {
  try {
    const text = readFileSync('/proc/meminfo', 'latin1');
    const bytesOf = (name: string): number => Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(text)?.[1]) * 1_024;
    const memory = {
      totalBytes: bytesOf('MemTotal'),
      availableBytes: bytesOf('MemAvailable'),
      sharedBytes: bytesOf('Shmem'),
    };
    return Object.values(memory).every(Number.isSafeInteger) ? memory : null;
  } catch {
    return null;
  }
}

type Known = {
  readonly tops: ReadonlySet<number>;
  readonly parents: ReadonlyMap<number, number>;
  readonly isBelow: Map<number, boolean>;
};

/** Walks upwards to a top, to a known process, or to a process without a parent. */
function belongs(pid: number, { tops, parents, isBelow }: Known): boolean {
  const way: number[] = [];
  let at = pid;
  while (at !== 0 && !tops.has(at) && !isBelow.has(at) && way.length <= parents.size) {
    way.push(at);
    at = parents.get(at) ?? 0;
  }
  const found = tops.has(at) || isBelow.get(at) === true;
  for (const passed of way) {
    isBelow.set(passed, found);
  }
  return found;
}

/** Field 4 of /proc/PID/stat; the name in field 2 may hold blanks and parentheses. Null if the process is gone. */
function readParent(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

/** Resident pages, without those of files and shared memory. If a process's first thread has ended, only another thread reports them. */
function readOwnPages(pid: number): number {
  const pages = readPages(`/proc/${pid}/statm`);
  return pages > 0
    ? pages
    : Math.max(0, ...threadsOf(pid).map((thread) => readPages(`/proc/${pid}/task/${thread}/statm`)));
}

function readPages(statmFile: string): number {
  try {
    const [, resident = '0', shared = '0'] = readFileSync(statmFile, 'latin1').split(' ');
    return Number(resident) - Number(shared);
  } catch {
    return 0;
  }
}

/** Empty if the process is gone. */
export function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
