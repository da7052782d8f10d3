import { readFileSync } from 'node:fs';
import { isShortage } from './system-shortage.ts';

/** A process, distinguished from a later one with the same id if the platform allows it. */
export type ProcessIdentity = {
  readonly pid: number;
  /** Clock ticks from boot to the process's start (Linux); null if unreadable. */
  readonly startTicks: string | null;
};

let own: ProcessIdentity | undefined;

export function ownIdentity(): ProcessIdentity {
  if (own?.startTicks == null) {
    const status = readStatus(process.pid);
    own = { pid: process.pid, startTicks: status === 'unknown' ? null : (status?.startTicks ?? null) };
  }
  return own;
}

/** Whether a process is alive. A zombie is not. An existing process counts as alive if the system lacks the resources to check further. */
export function isAlive({ pid, startTicks }: ProcessIdentity): boolean {
  if (!exists(pid)) {
    return false;
  }
  const status = readStatus(pid);
  if (status === 'unknown') {
    return true;
  }
  const isSame = startTicks === null || status?.startTicks === startTicks;
  return isSame && status?.isDefunct !== true;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether a process is alive and in this group; true if the system lacks the resources to check. Needs /proc. */
export function isLivingMember(pid: number, groupId: number): boolean {
  const status = readStatus(pid);
  return status === 'unknown' || (status?.groupId === groupId && !status.isDefunct);
}

type ProcessStatus = {
  readonly groupId: number;
  readonly startTicks: string | null;
  readonly isDefunct: boolean;
};

/** Reads fields 3, 5 and 22 of /proc/PID/stat. The command in field 2 may hold blanks and parentheses, so counting begins after it. */
function readStatus(pid: number): ProcessStatus | 'unknown' | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isDefunct = /^[ZX]/.test(fields[0] ?? '');
    return { startTicks: fields[19] ?? null, groupId: Number(fields[2]), isDefunct };
  } catch (error) {
    return isShortage(error) ? 'unknown' : null;
  }
}
