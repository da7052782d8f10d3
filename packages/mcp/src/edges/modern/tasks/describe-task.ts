import type { JobReport, Jobs } from '@gemini-mcp/core';
import { presentJobResult } from '../../../handlers/run-call.ts';
import { errorCodes } from '../../../input/request-params.ts';
import type { JsonObject } from '../../../input/tool-input.ts';
import type { ToolOutcome } from '../../../surface/tool.ts';

/** Between two looks at a task. Cheap, and the question of a task should not wait long for its user. */
const pollIntervalMs = 2_000;

export type DescribedTask = {
  readonly job: JobReport<ToolOutcome>;
  readonly keptMs: Jobs<ToolOutcome>['keptMs'];
  readonly nowMs: number;
};

/** A job in the form of the extension for tasks, without what its status adds. It is known for at least `ttlMs` from its creation. */
export function describeTask({ job, keptMs, nowMs }: DescribedTask): JsonObject {
  const { handle, state, status, startedAtMs, endedAtMs, updatedAtMs } = job;
  return {
    taskId: handle,
    status: statuses[state],
    ...(state === 'running' && status !== '' && { statusMessage: status }),
    createdAt: new Date(startedAtMs).toISOString(),
    lastUpdatedAt: new Date(updatedAtMs).toISOString(),
    ttlMs: (endedAtMs ?? nowMs) - startedAtMs + keptMs,
    pollIntervalMs,
  };
}

/** A tool's own failure is the result of a completed task: only a fault of the server fails one. */
const statuses = { running: 'working', succeeded: 'completed', failed: 'completed', cancelled: 'cancelled' } as const;

/** A task with the fields that its status adds. `inputRequests` are its open questions by id; `complete` makes a result as a request would have returned it. */
export async function detailTask(
  task: DescribedTask,
  inputRequests: JsonObject | null,
  complete: (result: JsonObject) => JsonObject,
): Promise<JsonObject> {
  const described = describeTask(task);
  const { state, handle, result } = task.job;
  if (state === 'running') {
    return inputRequests === null ? described : { ...described, status: 'input_required', inputRequests };
  }
  if (state === 'cancelled') {
    return { ...described, statusMessage: `Cancelled. gemini_job with handle "${handle}" shows the text so far.` };
  }
  if (result === null) {
    const message = 'An internal error ended the job. The log of gemini-mcp-server has the details.';
    const error = { code: errorCodes.internalError, message };
    return { ...described, status: 'failed', statusMessage: message, error };
  }
  return { ...described, result: complete(await presentJobResult(result)) };
}
