import { readFileSync } from 'node:fs';

/** The peak memory of a living process, in bytes. */
export function peakBytesOf({ pid }: { readonly pid: number }): number {
  return read(pid, 'VmHWM');
}

/** The current memory of a living process, in bytes. */
export function bytesOf({ pid }: { readonly pid: number }): number {
  return read(pid, 'VmRSS');
}

function read(pid: number, name: 'VmHWM' | 'VmRSS'): number {
  const [, kilobytes = 'NaN'] =
    new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}
