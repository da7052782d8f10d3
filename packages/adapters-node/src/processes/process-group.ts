import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { listProcessIds } from './marked-processes.ts';
import { isLivingMember } from './process-identity.ts';

/** How long to wait for a killed group: one that hangs in the kernel must not hold its run for ever. */
const deathsMs = 2_000;
const roundMs = 5;

/** Long enough for few turns of the event loop: /proc is slow on some machines. */
const sliceMs = 5;

/** Sends a signal to every process of a group; does nothing if the group is empty. */
export function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    // Windows has no process groups, so only the process itself is ended.
    process.kill(process.platform === 'win32' ? groupId : -groupId, signal);
  } catch {
    // The group is empty.
  }
}

/**
 * Resolves to true once every process of a killed group is dead: a kill returns before its targets have ended. Zombies do not count.
 * Resolves to false after two seconds; never rejects.
 */
export async function untilGroupIsGone(groupId: number): Promise<boolean> {
  const givesUpAtMs = performance.now() + deathsMs;
  while (isThere(groupId) && (await hasLivingMember(groupId))) {
    if (performance.now() >= givesUpAtMs) {
      return false;
    }
    await delay(roundMs);
  }
  return true;
}

function isThere(groupId: number): boolean {
  if (process.platform === 'win32') {
    return false;
  }
  try {
    process.kill(-groupId, 0);
    return true;
  } catch (error) {
    // EPERM: the processes belong to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** True without a check if /proc is missing: the group exists, and nothing more is known. */
async function hasLivingMember(groupId: number): Promise<boolean> {
  const pids = listProcessIds();
  let sliceStartedAtMs = performance.now();
  for (const pid of pids ?? []) {
    if (isLivingMember(pid, groupId)) {
      return true;
    }
    if (performance.now() - sliceStartedAtMs > sliceMs) {
      await setImmediate();
      sliceStartedAtMs = performance.now();
    }
  }
  return pids === null || pids.length === 0;
}
