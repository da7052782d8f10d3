import { readFileSync } from 'node:fs';

/** Of the kernel's counters: 100 Hz on every Linux that Node runs on. */
const msPerTick = 10;

/** Processor time that a process has taken so far, in milliseconds. Null where there is no /proc. */
export function processorTime(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces; utime and stime are the 14th and the 15th field, see proc(5).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  } catch {
    return null;
  }
}
