import { invalidParams } from '../../../input/request-params.ts';
import type { JsonObject } from '../../../input/tool-input.ts';
import type { ModernCaller } from '../create-modern-server.ts';
import type { IntroducedServer } from '../discover.ts';
import { requireTasks, showTask } from './create-task-handlers.ts';
import type { Tasks } from './tasks.ts';

/** More than an owner has jobs. */
const maxTaskIds = 100;

type TaskReporting = {
  readonly tasks: Tasks;
  readonly server: IntroducedServer;
  readonly caller: ModernCaller;
};

/** A task whose changes a client wants to hear of. */
export type FoundTask = {
  readonly taskId: string;
  /** Reports each change of its status, and its questions, until it has ended or `signal` is aborted. */
  readonly report: (meta: JsonObject, signal: AbortSignal) => Promise<void>;
};

/** The tasks of this caller among those that it names. Rejects with an `RpcError` if the request is not valid. */
export async function findTasks(taskIds: unknown, reporting: TaskReporting): Promise<readonly FoundTask[]> {
  if (!Array.isArray(taskIds) || taskIds.length > maxTaskIds || taskIds.some((id) => typeof id !== 'string')) {
    throw invalidParams(`Invalid parameters: taskIds must be a list of at most ${maxTaskIds} strings`);
  }
  const { caller, tasks } = reporting;
  requireTasks(caller);
  const found = [...new Set<string>(taskIds)].map(async (taskId): Promise<readonly FoundTask[]> => {
    const place = { owner: caller.from.owner, taskId };
    const isKnown = await tasks.get(place).then(
      () => true,
      () => false,
    );
    return isKnown ? [{ taskId, report: (meta, signal) => reportTask(place, meta, reporting, signal) }] : [];
  });
  return (await Promise.all(found)).flat();
}

/** A task as a client knows it from the call that it is of. */
const known = stateOf({ status: 'working' });

async function reportTask(
  place: Parameters<Tasks['get']>[0],
  meta: JsonObject,
  reporting: TaskReporting,
  signal: AbortSignal,
): Promise<void> {
  let before = known;
  while (!signal.aborted) {
    const changed = reporting.tasks.changed(place, signal);
    const task = await showTask(place, reporting).catch(() => null);
    if (task === null) {
      return;
    }
    const now = stateOf(task);
    if (now !== before) {
      await reporting.caller.send({ method: 'notifications/tasks', params: { ...task, _meta: meta } });
    }
    before = now;
    if (task['status'] !== 'working' && task['status'] !== 'input_required') {
      return;
    }
    await changed;
  }
}

function stateOf({ status, inputRequests = {} }: JsonObject): string {
  return JSON.stringify([status, Object.keys(Object(inputRequests))]);
}
