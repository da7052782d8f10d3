import { escapeName } from '@gemini-mcp/core/internal';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { CompletionHost } from '../../handlers/completion-host.ts';
import { type ListNotice, ListNotices } from '../../handlers/list-notices.ts';
import type { Introduction, McpServerOptions } from '../../handlers/mcp-server-options.ts';
import { PromptHost } from '../../handlers/prompt-host.ts';
import { ResourceHost } from '../../handlers/resource-host.ts';
import { SurfaceRegistry } from '../../handlers/surface-registry.ts';
import { type IncomingCall, ToolHost } from '../../handlers/tool-host.ts';
import type { RequestExtra, RequestHandlers } from '../../input/request-params.ts';
import { invalidParams, isJsonObject, RpcError, readText } from '../../input/request-params.ts';
import { type SurfaceContext, sourceOf } from '../../surface/surface.ts';
import { ClientRoots } from './client-roots.ts';
import { createElicitor } from './elicitor.ts';
import { type LedgerPage, RequestLedger } from './requests/ledger-page.ts';
import { LedgerTransport } from './requests/ledger-transport.ts';

const maxClientNameLength = 100;

/** Longer than any name in the protocol may be: what is longer is none of ours. */
const maxToolNameCharacters = 1_000;

/** A server for one connection. */
export type McpServer = {
  /** Its requests. */
  readonly page: LedgerPage;
  /** Resolves when the transport has started. */
  connect(transport: Transport): Promise<void>;
  /** Closes the connection, which aborts the calls that run. */
  close(): Promise<void>;
  /** Resolves when every call that was running has come to its end, cancelled ones included. Never rejects. */
  callsEnded(): Promise<void>;
  /** Tells the client again which lists have changed since it read them: to be called when a way to reach it has opened. */
  repeatNotices(): void;
};

/** Changes what a server answers before it is connected: how the conformance suite gets what we do not offer. */
export type Extend = (handlers: RequestHandlers, server: Server) => RequestHandlers;

type Hosts = {
  readonly tools: ToolHost;
  readonly prompts: PromptHost;
  readonly resources: ResourceHost;
  readonly completions: CompletionHost;
};

export type McpServerParts = {
  /** Nothing is changed when this is missing. */
  readonly extend?: Extend | undefined;
  /** Where its requests are noted: a page of a ledger of its own when this is missing. */
  readonly page?: LedgerPage;
};

/** Makes a server for one connection: gemini-mcp-server, unless it introduces itself as another one. */
export function createMcpServer(options: McpServerOptions, parts: McpServerParts = {}): McpServer {
  const { clock, log } = options;
  const { extend = (handlers) => handlers, page = new RequestLedger().openPage({ client: 'the only one' }) } = parts;
  const source = sourceOf(options.surface);
  // A client is promised notices only where there can be any.
  const canChange = source.onChange !== undefined || options.asksForRoots === true;
  const server = createServer(options, canChange);
  const onChange = (): void => surface.noteChange();
  const clientRoots = options.asksForRoots === true ? new ClientRoots({ server, clock, log, onChange }) : null;
  const surface = new SurfaceRegistry({ source, clientRoots, log });
  const hosts = createHosts(surface, options);
  // The first name that a connection has given is its name: another one later on would open what belongs to another client.
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
  server.fallbackRequestHandler = createDispatcher(extend(createHandlers(hosts, describeClient, server), server), page);
  return {
    page,
    connect: (transport) => {
      const stopListening = source.onChange?.(onChange);
      server.onclose = (): void => {
        stopListening?.();
        notices?.end();
      };
      return server.connect(new LedgerTransport(transport, page));
    },
    close: () => server.close(),
    callsEnded: () => page.callsEnded(),
    repeatNotices: () => notices?.repeat(),
  };
}

function createServer(options: McpServerOptions, canChange: boolean): Server {
  const { version, introduction = geminiIntroduction, onlyTools = false } = options;
  const { name, title, instructions } = introduction;
  const lists = canChange ? { listChanged: true } : {};
  return new Server(
    { name, title, version },
    {
      capabilities: { tools: lists, ...(!onlyTools && { prompts: lists, resources: lists, completions: {} }) },
      instructions,
      jsonSchemaValidator: refusingJsonSchemaValidator,
    },
  );
}

function createHosts(surface: SurfaceRegistry, { clock, log }: McpServerOptions): Hosts {
  return {
    tools: new ToolHost({ surface, clock, log }),
    prompts: new PromptHost({ surface, log }),
    resources: new ResourceHost({ surface, log }),
    completions: new CompletionHost({ surface, log }),
  };
}

/**
 * Not as handlers of the SDK, which answers parameters that fail its own schemas with the text of its validator: the parameters of
 * these are looked at where they are answered.
 */
function createDispatcher(handlers: RequestHandlers, page: LedgerPage): NonNullable<Server['fallbackRequestHandler']> {
  return ({ method, params }, extra) => {
    const answer = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    return answer === undefined
      ? Promise.reject(new RpcError(ErrorCode.MethodNotFound, 'Method not found'))
      : page.run(extra.requestId, (request) => answer(params, { ...extra, request }));
  };
}

function createHandlers(
  hosts: Hosts,
  describeClient: (signal: AbortSignal) => SurfaceContext,
  server: Server,
): RequestHandlers {
  const contextOf = ({ request }: RequestExtra): SurfaceContext => describeClient(request.signal);
  const { tools, prompts, resources, completions } = hosts;
  return {
    'tools/list': (params) => tools.list(params),
    'tools/call': async (params, extra) => {
      const { name, args } = readCall(params);
      const elicitor = createElicitor(extra, server.getClientCapabilities());
      return tools.call({ name, args, from: contextOf(extra), notify: extra.request.notify, elicitor });
    },
    'prompts/list': (params) => prompts.list(params),
    'prompts/get': (params, extra) => prompts.get(params, contextOf(extra)),
    'resources/list': (params, extra) => resources.list(params, contextOf(extra)),
    'resources/templates/list': (params) => resources.listTemplates(params),
    'resources/read': (params, extra) => resources.read(params, contextOf(extra)),
    'completion/complete': (params, extra) => completions.complete(params, contextOf(extra)),
  };
}

function readCall(params: unknown): Pick<IncomingCall, 'name' | 'args'> {
  const name = readText(params, 'name', maxToolNameCharacters);
  const { arguments: args = {} } = isJsonObject(params) ? params : {};
  if (!isJsonObject(args)) {
    throw invalidParams('Invalid parameters: arguments must be an object');
  }
  return { name, args };
}

function presentClientName(name: string | null): string | null {
  return name === null ? null : escapeName(name.slice(0, maxClientNameLength));
}

/**
 * Takes the place of the SDK's default validator, whose library costs a quarter of the start-up time. The SDK validates by it only
 * what a user answers to an elicitation, and we elicit nothing.
 */
export const refusingJsonSchemaValidator: jsonSchemaValidator = {
  getValidator(): never {
    throw new Error('This server validates no elicited answers: give it a JSON Schema validator first');
  },
};

const instructions = `Lends you Google's Gemini, a second model with a large context window. \
To have many or large files read, to review code, or for a second opinion: gemini_query, with names of files, not contents. To search \
the web: googleSearch. For a conversation: chat. A server may offer only some of these. \
The resource gemini://manual says how to use them well.`;

const geminiIntroduction: Introduction = { name: 'gemini-mcp-server', title: 'Gemini', instructions };
