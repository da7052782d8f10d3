import { isRpcError } from '../../handlers/conceal-error.ts';
import { type Caller, createHandlers, type Handlers } from '../../handlers/create-handlers.ts';
import type { McpServerOptions } from '../../handlers/mcp-server-options.ts';
import { presentClientName } from '../../handlers/present-client-name.ts';
import { SurfaceRegistry } from '../../handlers/surface-registry.ts';
import { errorCodes, isJsonObject, RpcError } from '../../input/request-params.ts';
import type { JsonObject } from '../../input/tool-input.ts';
import { cannotAsk, type Elicitor } from '../../questions/call-questions.ts';
import { sourceOf } from '../../surface/surface.ts';
import type { RequestId } from '../rpc-message.ts';
import { cacheFields } from './cache-fields.ts';
import { complete, discover } from './discover.ts';
import { type Envelope, type ModernRequest, takesTasks } from './envelope.ts';
import { type ListenPlaces, listen } from './listen.ts';
import type { AskingRequest, SuspendedRuns } from './suspended-runs.ts';
import { createTaskHandlers } from './tasks/create-task-handlers.ts';
import type { Tasks } from './tasks/tasks.ts';

/** A notification on the stream of the request that it belongs to. */
export type Notification = { readonly method: string; readonly params: JsonObject };

/** The way back to the client of one request. */
type Exchange = {
  /** Aborted when the client cancels the request or its connection closes. Nothing is sent from then on. */
  readonly signal: AbortSignal;
  /** Resolves when the connection can take more. */
  readonly send: (notification: Notification) => Promise<void>;
};

/** Who sends a request of this revision. */
export type ModernCaller = Caller & {
  readonly id: RequestId;
  readonly envelope: Envelope;
  readonly send: Exchange['send'];
};

/** Answers one kind of request. The parameters come unchecked from the client. */
export type ModernHandler = (params: unknown, caller: ModernCaller) => Promise<JsonObject>;

/** By method. */
export type ModernHandlers = Readonly<Record<string, ModernHandler>>;

export type ModernServerParts = {
  /** Changes the handlers: the conformance suite adds features that we do not offer. */
  readonly extend?: ((handlers: ModernHandlers) => ModernHandlers) | undefined;
  /** Holds the runs that wait for an answer of the user, over several requests. */
  readonly runs: SuspendedRuns;
  /** Bounds the open `subscriptions/listen`. */
  readonly listens: ListenPlaces;
  /** Null if the server offers no tasks. */
  readonly tasks: Tasks | null;
};

/** Answers requests of the revision 2026-07-28, each by itself: no state of a connection is needed or kept. */
export type ModernServer = {
  /** Resolves to the result. Rejects with an `RpcError` if the request cannot be answered. */
  answer(request: ModernRequest, envelope: Envelope, exchange: Exchange): Promise<JsonObject>;
};

/** Creates a server for the callers of one surface. Creating it is cheap: over HTTP each request has its own. */
export function createModernServer(options: McpServerOptions, parts: ModernServerParts): ModernServer {
  const { clock, log } = options;
  const source = sourceOf(options.surface);
  const surface = new SurfaceRegistry({ source, clientRoots: null, log });
  const canChange = source.onChange !== undefined;
  const own: ModernHandlers = {
    ...lettingAsk(createHandlers({ surface, clock, log, callLimitMs: options.callLimitMs }), parts),
    ...(parts.tasks !== null && createTaskHandlers(parts.tasks, options)),
    'server/discover': async () => discover(options, canChange),
    'subscriptions/listen': (params, caller) =>
      listen({ params, caller, options, source, places: parts.listens, tasks: parts.tasks }),
  };
  const handlers = parts.extend?.(own) ?? own;
  return {
    answer: async (request, envelope, exchange) => {
      const { method, params } = request;
      // No connection remembers the surface: each request loads it again.
      surface.noteChange();
      const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
      if (handler === undefined) {
        throw new RpcError(errorCodes.methodNotFound, 'Method not found');
      }
      const caller = describeCaller(options, request, { envelope, exchange });
      const result = await handler(params, caller).catch((error: unknown) => {
        throw renumber(error, params);
      });
      return complete(options, { ...cacheFields(method, canChange), ...result });
    },
  };
}

/** The requests that may be answered with a question. */
const mayAsk = new Set(['tools/call', 'prompts/get', 'resources/read']);

function lettingAsk(handlers: Handlers, { runs, tasks }: ModernServerParts): ModernHandlers {
  const createTaskFor = ({ envelope, from }: ModernCaller): AskingRequest['createTask'] =>
    tasks !== null && takesTasks(envelope) ? (job, run) => tasks.create(from.owner, job, run) : null;
  const asking = Object.entries(handlers).map(([method, handler]): [string, ModernHandler] => [
    method,
    (params, caller) =>
      mayAsk.has(method)
        ? runs.answer({
            ...caller,
            params,
            createTask: createTaskFor(caller),
            work: (way) => handler(params, { ...caller, ...way }),
          })
        : handler(params, caller),
  ]);
  return Object.fromEntries(asking);
}

/** This revision has no code of its own for a missing resource. */
function renumber(error: unknown, params: unknown): unknown {
  if (!isRpcError(error) || error.code !== errorCodes.resourceNotFound) {
    return error;
  }
  return new RpcError(errorCodes.invalidParams, error.message, { uri: isJsonObject(params) ? params['uri'] : null });
}

type Arrived = { readonly envelope: Envelope; readonly exchange: Exchange };

function describeCaller(
  { ownerOf }: Pick<McpServerOptions, 'ownerOf'>,
  { id }: ModernRequest,
  { envelope, exchange }: Arrived,
): ModernCaller {
  const { clientName, progressToken } = envelope;
  const { signal, send } = exchange;
  return {
    id,
    envelope,
    send,
    from: { owner: ownerOf(clientName), clientName: presentClientName(clientName), signal },
    notify:
      progressToken === null
        ? null
        : (progress) => send({ method: 'notifications/progress', params: { ...progress, progressToken } }),
    elicitor: { cannotAsk: whyNotAsk(envelope), elicit: () => Promise.reject(new Error('This request cannot ask')) },
  };
}

/** A client that offers an empty object means forms. */
function whyNotAsk({ capabilities }: Pick<Envelope, 'capabilities'>): Elicitor['cannotAsk'] {
  const { elicitation } = capabilities;
  const offersForms = isJsonObject(elicitation) && (isJsonObject(elicitation['form']) || !('url' in elicitation));
  return offersForms ? null : cannotAsk('client-cannot').reason;
}
