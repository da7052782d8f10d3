import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { listProcessIds } from '../../../process/marked-processes.ts';

/** What processes and all that come of them use together. */
export type TreeUsage = {
  readonly processes: number;
  /** Resident memory; what several share is counted for each. */
  readonly residentBytes: number;
};

const pageBytes = 4_096;

/** Long enough for few turns of the event loop: /proc is slow on some machines, and a command may have thousands of processes. */
const sliceMs = 5;

/** Reads /proc, a slice at a time: what is not there any more is not counted. Never rejects. */
export async function readTreeUsage(tops: ReadonlySet<number>): Promise<TreeUsage> {
  const known = new Map<number, ProcessLine>();
  let sliceStartedAtMs = performance.now();
  for (const pid of listProcessIds() ?? []) {
    const line = readLine(pid);
    if (line !== null) {
      known.set(pid, line);
    }
    if (performance.now() - sliceStartedAtMs > sliceMs) {
      await setImmediate();
      sliceStartedAtMs = performance.now();
    }
  }
  const isBelow = new Map<number, boolean>();
  const lines = [...known].filter(([pid]) => belongs(pid, { tops, known, isBelow }));
  return {
    processes: lines.length,
    residentBytes: lines.reduce((sum, [, { residentPages }]) => sum + residentPages * pageBytes, 0),
  };
}

/** How many threads there are on the machine, in one short look; null where that is not told. */
export function countAllThreads(): number | null {
  try {
    const count = Number(/\/(\d+) \d+\s*$/.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1]);
    return Number.isInteger(count) ? count : null;
  } catch {
    return null;
  }
}

type ProcessLine = { readonly parent: number; readonly residentPages: number };

type Known = {
  readonly tops: ReadonlySet<number>;
  readonly known: ReadonlyMap<number, ProcessLine>;
  readonly isBelow: Map<number, boolean>;
};

/** Walks upwards to a top, to a process that is known already, or to where there is no parent. */
function belongs(pid: number, { tops, known, isBelow }: Known): boolean {
  const way: number[] = [];
  let at = pid;
  while (at !== 0 && !tops.has(at) && !isBelow.has(at) && way.length <= known.size) {
    way.push(at);
    at = known.get(at)?.parent ?? 0;
  }
  const found = tops.has(at) || isBelow.get(at) === true;
  for (const passed of way) {
    isBelow.set(passed, found);
  }
  return found;
}

/** Fields 4 and 24 of /proc/PID/stat; the name in field 2 may hold blanks and parentheses. */
function readLine(pid: number): ProcessLine | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), residentPages: Number(fields[21]) };
  } catch {
    return null;
  }
}
