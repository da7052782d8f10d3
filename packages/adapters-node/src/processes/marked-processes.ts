import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { isShortage } from './system-shortage.ts';

/** The environment variable that identifies every process of a run, however it was started. */
export const runMarkerName = 'GEMINI_MCP_RUN_ID';

const marker = new RegExp(`(?:^|\\0)${runMarkerName}=([^\\0]*)`);

/** Long enough for few turns of the event loop, short enough that other calls do not wait: /proc is slow on some machines. */
const sliceMs = 5;

/** How long to wait for killed processes: one that hangs in the kernel must not hold its run for ever. */
const deathsMs = 2_000;
const roundMs = 5;

/**
 * The ids of the living processes that carry the marker of one of these runs, including those that left the process group. Reads /proc, so
 * it finds nothing on platforms without it, and no processes of other users.
 */
export function findMarkedProcesses(runIds: ReadonlySet<string>): readonly number[] {
  return (listProcessIds() ?? []).filter((pid) => isMarked(pid, runIds) === true);
}

/**
 * Kills every process of these runs, including those started in the meantime, and resolves once they are all gone. Looks again if the
 * system was out of resources. Gives up after two seconds; never rejects.
 */
export async function endMarkedProcesses(runIds: ReadonlySet<string>): Promise<void> {
  const givesUpAtMs = performance.now() + deathsMs;
  let wasClean = true;
  for (;;) {
    const isClean = (await killMarkedProcesses(runIds)) === 0;
    // A process shows no environment at the moment when it becomes another program, so one clean look is not enough if processes were just
    // starting others.
    if ((isClean && wasClean) || performance.now() >= givesUpAtMs) {
      return;
    }
    wasClean = isClean;
    await delay(roundMs);
  }
}

/** Resolves to the number of processes that were found or may have existed. */
async function killMarkedProcesses(runIds: ReadonlySet<string>): Promise<number> {
  const pids = listProcessIds();
  let count = pids === null ? 1 : 0;
  let sliceStartedAtMs = performance.now();
  for (const pid of pids ?? []) {
    const mark = isMarked(pid, runIds);
    if (mark === true) {
      kill(pid);
    }
    count += mark === false ? 0 : 1;
    if (performance.now() - sliceStartedAtMs > sliceMs) {
      await setImmediate();
      sliceStartedAtMs = performance.now();
    }
  }
  return count;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in between.
  }
}

/** The ids of all processes; empty on platforms without /proc, null if the system is out of resources. */
export function listProcessIds(): readonly number[] | null {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch (error) {
    return isShortage(error) ? null : [];
  }
}

function isMarked(pid: number, runIds: ReadonlySet<string>): boolean | 'unknown' {
  try {
    const runId = marker.exec(readFileSync(`/proc/${pid}/environ`, 'latin1'))?.[1];
    return runId !== undefined && runIds.has(runId);
  } catch (error) {
    // The process has ended or belongs to another user.
    return isShortage(error) && 'unknown';
  }
}
