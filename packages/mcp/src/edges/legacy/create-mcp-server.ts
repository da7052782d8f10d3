import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type ClientCapabilities,
  ErrorCode,
  type Notification,
  type Request,
  type Result,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import * as z from 'zod';
import { type Caller, createHandlers } from '../../handlers/create-handlers.ts';
import { capabilitiesOf, introductionOf } from '../../handlers/introduction.ts';
import { type ListNotice, ListNotices } from '../../handlers/list-notices.ts';
import type { McpServerOptions } from '../../handlers/mcp-server-options.ts';
import { presentClientName } from '../../handlers/present-client-name.ts';
import { SurfaceRegistry } from '../../handlers/surface-registry.ts';
import { RpcError } from '../../input/request-params.ts';
import type { Elicitor } from '../../questions/call-questions.ts';
import type { CannotAskReason } from '../../questions/question.ts';
import { sourceOf } from '../../surface/surface.ts';
import type { SurfaceContext } from '../../surface/surface-context.ts';
import { ClientRoots } from './client-roots.ts';
import { type ConnectionRequests, PendingRequests } from './requests/connection-requests.ts';
import type { OpenRequest } from './requests/ledger-entry.ts';
import { TrackingTransport } from './requests/tracking-transport.ts';

/** A server for one connection. */
export type McpServer = {
  /** The connection's requests. */
  readonly page: ConnectionRequests;
  /** Resolves when the transport has started. */
  connect(transport: Transport): Promise<void>;
  /** Closes the connection, which aborts the running calls. */
  close(): Promise<void>;
  /** Resolves when every running call has ended, including cancelled ones. Never rejects. */
  callsEnded(): Promise<void>;
  /** Sends again the notices for lists that have changed since the client read them. Call when a new way to reach it has opened. */
  repeatNotices(): void;
};

/** A request of this edge. Its signal comes from the ledger, because the SDK's own ignores closed HTTP requests. */
export type RequestExtra = Omit<
  RequestHandlerExtra<ServerRequest | Request, ServerNotification | Notification>,
  'signal' | 'authInfo'
> &
  Caller & {
    readonly request: OpenRequest;
  };

/** Answers one kind of request. The parameters come unchecked from the client. */
export type RequestHandler = (params: unknown, extra: RequestExtra) => Promise<Result>;

/** By method. */
export type RequestHandlers = Readonly<Record<string, RequestHandler>>;

/** Changes the handlers before the server connects: the conformance suite adds features that we do not offer. */
export type Extend = (handlers: RequestHandlers, server: Server) => RequestHandlers;

export type McpServerParts = {
  /** Changes nothing if missing. */
  readonly extend?: Extend | undefined;
  /** Holds the requests: a page of a new ledger if missing. */
  readonly page?: ConnectionRequests;
};

/** Creates a server for one connection: gemini-mcp-server, unless it introduces itself as another one. */
export function createMcpServer(options: McpServerOptions, parts: McpServerParts = {}): McpServer {
  const { clock, log } = options;
  const { extend = (handlers) => handlers, page = new PendingRequests().openPage({ client: 'the only one' }) } = parts;
  const source = sourceOf(options.surface);
  // Announce notices only if there can be any.
  const canChange = source.onChange !== undefined || options.asksForRoots === true;
  const server = createServer(options, canChange);
  const onChange = (): void => surface.noteChange();
  const clientRoots = options.asksForRoots === true ? new ClientRoots({ server, clock, log, onChange }) : null;
  const surface = new SurfaceRegistry({ source, clientRoots, log });
  // The first name of a connection counts: a later one would open another client's data.
  let clientName: string | null = null;
  const describeClient = (signal: AbortSignal): SurfaceContext => {
    clientName ??= server.getClientVersion()?.name ?? null;
    return { owner: options.ownerOf(clientName), clientName: presentClientName(clientName), signal };
  };
  const send = (notice: ListNotice): Promise<void> => server.notification(notice);
  const notices = canChange ? new ListNotices({ surface, clock, describeClient, send }) : null;
  server.oninitialized = (): void => {
    clientRoots?.ask();
    notices?.begin();
  };
  server.onerror = (error) => log({ event: 'protocol-error', correlationId: null, subject: null, error });
  const handlers = extend(createHandlers({ surface, clock, log, callLimitMs: options.callLimitMs }), server);
  server.fallbackRequestHandler = createDispatcher(handlers, page, (request, sendRequest) => ({
    from: describeClient(request.signal),
    notify: request.notify,
    elicitor: createElicitor({ request, sendRequest }, server.getClientCapabilities()),
  }));
  return {
    page,
    connect: (transport) => {
      const stopListening = source.onChange?.(onChange);
      server.onclose = (): void => {
        stopListening?.();
        notices?.end();
      };
      return server.connect(new TrackingTransport(transport, page));
    },
    close: () => server.close(),
    callsEnded: () => page.callsEnded(),
    repeatNotices: () => notices?.repeat(),
  };
}

function createServer(options: McpServerOptions, canChange: boolean): Server {
  const { name, title, instructions } = introductionOf(options);
  return new Server(
    { name, title, version: options.version },
    {
      capabilities: capabilitiesOf(options, canChange),
      instructions,
      jsonSchemaValidator: refusingJsonSchemaValidator,
    },
  );
}

/**
 * Bypasses the SDK's handlers, which answer parameters that fail the SDK's schemas with the validator's text. Our handlers check
 * the parameters themselves.
 */
function createDispatcher(
  handlers: RequestHandlers,
  page: ConnectionRequests,
  describeCaller: (request: OpenRequest, sendRequest: RequestExtra['sendRequest']) => Caller,
): NonNullable<Server['fallbackRequestHandler']> {
  return ({ method, params }, extra) => {
    const answer = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    return answer === undefined
      ? Promise.reject(new RpcError(ErrorCode.MethodNotFound, 'Method not found'))
      : page.run(extra.requestId, (request) =>
          answer(params, { ...extra, request, ...describeCaller(request, extra.sendRequest) }),
        );
  };
}

/** The SDK limits each request to a client, by its own clock. Our limit comes first. */
const sdkTimeoutMs = 2 ** 31 - 1;

/** Sends forms to the client that sent a request, on the stream of that request. */
function createElicitor(
  { request, sendRequest }: Pick<RequestExtra, 'request' | 'sendRequest'>,
  capabilities: ClientCapabilities | undefined,
): Elicitor {
  return {
    cannotAsk: whyNot(request.takesAnswers, capabilities),
    elicit: (params, signal) =>
      sendRequest({ method: 'elicitation/create', params }, z.looseObject({}), { signal, timeout: sdkTimeoutMs }),
  };
}

function whyNot(takesAnswers: boolean, capabilities: ClientCapabilities | undefined): CannotAskReason | null {
  if (!takesAnswers) {
    return 'transport-cannot';
  }
  const { elicitation } = capabilities ?? {};
  // A client of the first protocol revision with elicitation offers an empty object, and means forms.
  const offersForms =
    elicitation !== undefined && (elicitation.form !== undefined || Object.keys(elicitation).length === 0);
  return offersForms ? null : 'client-cannot';
}

/**
 * Replaces the SDK's default validator, whose library costs a quarter of the start-up time. The SDK validates only users' answers
 * to its own elicitation with it, and we do not use that.
 */
export const refusingJsonSchemaValidator: jsonSchemaValidator = {
  getValidator(): never {
    throw new Error('This server validates no elicited answers: give it a JSON Schema validator first');
  },
};
