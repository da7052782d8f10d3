import type { Clock } from '../ports/clock.ts';
import type { Workspace } from '../ports/executor.ts';
import type { RunChanges } from '../ports/workspace-steps.ts';
import { waitAtMost } from '../waiting/wait-at-most.ts';
import type { WorkLog } from './work-log.ts';

export type CloseAccountOptions = {
  readonly workspace: Workspace;
  readonly log: WorkLog;
  readonly clock: Clock;
};

/** Stopping a command takes a moment, and comparing what commands changed some seconds where there are many files. */
const limitsMs = { stopping: 5_000, comparing: 30_000 } as const;

/**
 * Ends the commands that still run, and finds out what the run has changed: also for a run that was cancelled, so that no signal aborts it. Null
 * where that was not found out in time.
 */
export async function closeAccount({ workspace, log, clock }: CloseAccountOptions): Promise<RunChanges | null> {
  const stopping = log.runningHandles.map(async (handle) => {
    const report = await inTime(clock, limitsMs.stopping, (signal) =>
      workspace.pollCommand({ handle, waitMs: limitsMs.stopping, stop: true }, signal),
    );
    if (report?.ok === true) {
      log.reported(log.commandOf(handle) ?? '', report.value, handle);
    }
  });
  await Promise.all(stopping);
  return await inTime(clock, limitsMs.comparing, (signal) => workspace.changes(signal));
}

/** What came in time; null otherwise, with the signal aborted. */
async function inTime<Value>(
  clock: Clock,
  durationMs: number,
  start: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | null> {
  const controller = new AbortController();
  let value: Value | null = null;
  const event = start(controller.signal).then(
    (came) => {
      value = came;
    },
    () => undefined,
  );
  await waitAtMost({ event, durationMs, clock }, controller.signal);
  controller.abort();
  return value;
}
