import { readFileSync } from 'node:fs';

/** A process, told apart from a later one with the same id where the platform allows it. */
export type ProcessIdentity = {
  readonly pid: number;
  /** Clock ticks from boot to the process's start (Linux), null where that cannot be read. */
  readonly startTicks: string | null;
};

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTicks: readStartTicks(process.pid) };
}

export function isAlive({ pid, startTicks }: ProcessIdentity): boolean {
  if (!exists(pid)) {
    return false;
  }
  return startTicks === null || readStartTicks(pid) === startTicks;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, but somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Field 22 of /proc/PID/stat; the command in field 2 may hold blanks and parentheses, so counting begins behind it. */
function readStartTicks(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
