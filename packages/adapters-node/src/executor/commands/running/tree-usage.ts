import { readFile } from 'node:fs/promises';
import { listProcessIds } from '../../../process/marked-processes.ts';

/** What processes and all that come of them use together. */
export type TreeUsage = {
  readonly processes: number;
  /** Resident memory; what several share is counted for each. */
  readonly residentBytes: number;
};

const pageBytes = 4_096;

/** Reads /proc, a few processes at a time: what is not there any more is not counted. Never rejects. */
export async function readTreeUsage(tops: ReadonlySet<number>): Promise<TreeUsage> {
  const known = new Map<number, ProcessLine>();
  for (const pid of listProcessIds() ?? []) {
    const line = await readLine(pid);
    if (line !== null) {
      known.set(pid, line);
    }
  }
  const isBelow = new Map<number, boolean>();
  const lines = [...known].filter(([pid]) => belongs(pid, tops, known, isBelow));
  return {
    processes: lines.length,
    residentBytes: lines.reduce((sum, [, { residentPages }]) => sum + residentPages * pageBytes, 0),
  };
}

type ProcessLine = { readonly parent: number; readonly residentPages: number };

function belongs(
  pid: number,
  tops: ReadonlySet<number>,
  known: ReadonlyMap<number, ProcessLine>,
  isBelow: Map<number, boolean>,
): boolean {
  const way: number[] = [];
  let found = false;
  // A walk upwards ends at a top, at what is known already, or where there is no parent.
  for (let at = pid; ; at = known.get(at)?.parent ?? 0) {
    const before = isBelow.get(at);
    if (tops.has(at) || before !== undefined || at === 0 || way.length > known.size) {
      found = tops.has(at) || before === true;
      break;
    }
    way.push(at);
  }
  for (const at of way) {
    isBelow.set(at, found);
  }
  return found;
}

/** Fields 4 and 24 of /proc/PID/stat; the name in field 2 may hold blanks and parentheses. */
async function readLine(pid: number): Promise<ProcessLine | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), residentPages: Number(fields[21]) };
  } catch {
    return null;
  }
}
