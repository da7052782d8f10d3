import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Memory of a process that lies in RAM now, in bytes, and the most there was since `resetPeak`. Null where there is no /proc.
 */
export function residentMemory(pid: number | 'self'): { readonly now: number; readonly peak: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return { now: readField(status, 'VmRSS'), peak: readField(status, 'VmHWM') };
  } catch {
    return null;
  }
}

/** Makes the kernel measure this process's peak from here on. */
export function resetPeak(): void {
  // 5: see clear_refs in proc(5).
  writeFileSync('/proc/self/clear_refs', '5');
}

function readField(status: string, name: string): number {
  const kibibytes = new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1];
  // A process that has ended and is not yet waited for has none.
  return Number(kibibytes ?? 0) * 1024;
}
