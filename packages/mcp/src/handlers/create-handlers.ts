import { readTraceContext } from '../input/read-trace-context.ts';
import { invalidParams, isJsonObject, readText } from '../input/request-params.ts';
import type { JsonObject } from '../input/tool-input.ts';
import type { SurfaceContext } from '../surface/surface-context.ts';
import { readStatedLimit } from './call-limits.ts';
import { CompletionHandlers } from './completion-handlers.ts';
import { PromptHandlers } from './prompt-handlers.ts';
import { ResourceHandlers } from './resource-handlers.ts';
import { type IncomingCall, ToolHandlers, type ToolHandlersOptions } from './tool-handlers.ts';

/** Longer than any name in the protocol may be: a longer name cannot be ours. */
const maxToolNameCharacters = 1_000;

/** Who sent a request, and how its client can be reached while it runs. */
export type Caller = Omit<IncomingCall, 'name' | 'args' | 'statedLimitMs'>;

/** Answers one kind of request. The parameters come unchecked from the client. */
type Handler = (params: unknown, caller: Caller) => Promise<JsonObject>;

/** By method. */
export type Handlers = Readonly<Record<string, Handler>>;

/** Answers all requests of a client, for every revision of the protocol. Rejects with an `RpcError` if a request cannot be answered. */
export function createHandlers(options: ToolHandlersOptions): Handlers {
  const tools = new ToolHandlers(options);
  const prompts = new PromptHandlers(options);
  const resources = new ResourceHandlers(options);
  const completions = new CompletionHandlers(options);
  return {
    'tools/list': (params) => tools.list(params),
    'tools/call': async (params, caller) =>
      tools.call({
        ...readCall(params),
        statedLimitMs: readStatedLimit(params),
        ...caller,
        from: traced(params, caller),
      }),
    'prompts/list': (params) => prompts.list(params),
    'prompts/get': (params, caller) => prompts.get(params, traced(params, caller)),
    'resources/list': (params, { from }) => resources.list(params, from),
    'resources/templates/list': (params) => resources.listTemplates(params),
    'resources/read': (params, caller) => resources.read(params, traced(params, caller)),
    'completion/complete': (params, caller) => completions.complete(params, traced(params, caller)),
  };
}

/** The sender, with the trace that this request belongs to. */
function traced(params: unknown, { from }: Caller): SurfaceContext {
  const trace = readTraceContext(params);
  return trace === undefined ? from : { ...from, trace };
}

/** The name and the arguments of `tools/call`. */
export function readCall(params: unknown): Pick<IncomingCall, 'name' | 'args'> {
  const name = readText(params, 'name', maxToolNameCharacters);
  const { arguments: args = {} } = isJsonObject(params) ? params : {};
  if (!isJsonObject(args)) {
    throw invalidParams('Invalid parameters: arguments must be an object');
  }
  return { name, args };
}
