import { readdirSync, readFileSync } from 'node:fs';

/** The environment variable by which every process of a run is known, however it was started. */
export const runMarkerName = 'GEMINI_MCP_RUN_ID';

/**
 * Ids of the living processes that carry the marker of one of these runs, also those that left the process group. Reads
 * /proc, so it finds nothing on platforms without it, nor processes of other users.
 */
export function findMarkedProcesses(runIds: ReadonlySet<string>): readonly number[] {
  return listProcessIds().filter((pid) => {
    const runId = readRunId(pid);
    return runId !== null && runIds.has(runId);
  });
}

/** Ends every process of these runs at once. */
export function killMarkedProcesses(runIds: ReadonlySet<string>): void {
  for (const pid of findMarkedProcesses(runIds)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself in between.
    }
  }
}

function listProcessIds(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function readRunId(pid: number): string | null {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
    return new RegExp(`(?:^|\\0)${runMarkerName}=([^\\0]*)`).exec(environment)?.[1] ?? null;
  } catch {
    return null;
  }
}
