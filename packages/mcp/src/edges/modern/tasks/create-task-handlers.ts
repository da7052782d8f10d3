import { invalidParams, isJsonObject, RpcError, readText } from '../../../input/request-params.ts';
import type { JsonObject } from '../../../input/tool-input.ts';
import type { ModernCaller, ModernHandlers } from '../create-modern-server.ts';
import { complete, type IntroducedServer } from '../discover.ts';
import { modernErrorCodes, takesTasks, tasksExtension } from '../envelope.ts';
import { detailTask } from './describe-task.ts';
import type { TaskPlace, Tasks } from './tasks.ts';

/** Longer than any id of a task. */
const maxTaskIdCharacters = 100;

/** Answers the requests of the extension for tasks. Their scope is the owner's, as that of `gemini_job`. */
export function createTaskHandlers(tasks: Tasks, server: IntroducedServer): ModernHandlers {
  return {
    'tasks/get': (params, caller) => showTask(readPlace(params, caller), { tasks, server, caller }),
    'tasks/update': async (params, caller) => {
      const place = readPlace(params, caller);
      const { inputResponses } = isJsonObject(params) ? params : {};
      if (!isJsonObject(inputResponses)) {
        throw invalidParams('Invalid parameters: inputResponses must be an object with the answers by their keys');
      }
      await tasks.update(place, inputResponses);
      return {};
    },
    'tasks/cancel': async (params, caller) => {
      await tasks.cancel(readPlace(params, caller));
      return {};
    },
  };
}

type Showing = { readonly tasks: Tasks; readonly server: IntroducedServer; readonly caller: ModernCaller };

/** A task as its client sees it now. Only a client that can be asked sees a question. Rejects with an `RpcError` if it is unknown. */
export async function showTask(place: TaskPlace, { tasks, server, caller }: Showing): Promise<JsonObject> {
  requireTasks(caller);
  const { inputRequests, ...task } = await tasks.get(place);
  const shown = caller.elicitor.cannotAsk === null ? inputRequests : null;
  return detailTask(task, shown, (result) => complete(server, result));
}

function readPlace(params: unknown, caller: ModernCaller): TaskPlace {
  requireTasks(caller);
  return { owner: caller.from.owner, taskId: readText(params, 'taskId', maxTaskIdCharacters) };
}

/** Throws an `RpcError` if the client of the request does not know the extension. */
export function requireTasks({ envelope }: Pick<ModernCaller, 'envelope'>): void {
  if (!takesTasks(envelope)) {
    throw new RpcError(modernErrorCodes.missingClientCapability, 'Missing required client capability', {
      requiredCapabilities: { extensions: { [tasksExtension]: {} } },
    });
  }
}
