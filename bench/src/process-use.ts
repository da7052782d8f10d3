import { readFileSync } from 'node:fs';

const bytesPerMegabyte = 1_000_000;

/** Of the kernel's counters: 100 Hz on every Linux that Node runs on. */
const msPerTick = 10;

/** Resident memory of a process in megabytes, now and at its peak. */
export function residentMegabytes(pid: number | 'self'): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return { now: readField(status, 'VmRSS'), peak: readField(status, 'VmHWM') };
}

function readField(status: string, name: string): number {
  const kibibytes = new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1];
  return (Number(kibibytes) * 1_024) / bytesPerMegabyte;
}

/** Processor time that a process has taken so far, in milliseconds. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may contain spaces; utime and stime are the 14th and the 15th field, see proc(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}
