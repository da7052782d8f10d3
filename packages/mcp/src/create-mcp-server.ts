import { type Clock, escapeName } from '@gemini-mcp/core';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestParamsSchema,
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { McpLog } from './mcp-log.ts';
import { refusingJsonSchemaValidator } from './refusing-json-schema-validator.ts';
import { RpcError } from './rpc-error.ts';
import type { Surface } from './surface.ts';
import type { SurfaceContext } from './surface-context.ts';
import { SurfaceRegistry } from './surface-registry.ts';
import { type IncomingCall, ToolHost } from './tool-host.ts';

const maxClientNameLength = 100;

const instructions = `Asks Google's Gemini, a second model with a large context window, through the Gemini CLI on this machine.
Use gemini_query to have many or large files read and judged without their contents entering your own context: pass names \
(files, glob_patterns, directories), not contents. Also use it for a second opinion on a plan, a review or a bug.
Gemini sees only the prompt and the files that you name in one call: say in the prompt all that it must know.
The end of each answer names the model that answered and what was left out.`;

/**
 * Everything a server needs. Building it is cheap: `loadSurface` is called when a client first lists or uses something of it;
 * once, unless it fails: then the request that needed it gets an error, and the next one calls it again.
 */
export type McpServerOptions = {
  readonly loadSurface: () => Promise<Surface>;
  readonly clock: Clock;
  readonly log: McpLog;
  readonly version: string;
  /** Whose the calls of this connection are, by the name that the client gave itself; the same for the same client later on. */
  readonly ownerOf: (clientName: string | null) => string;
};

/** A server for one connection. */
export type McpServer = {
  /** Resolves when the transport has started. */
  connect(transport: Transport): Promise<void>;
  /** Closes the connection, which aborts the calls that run. */
  close(): Promise<void>;
  /** Resolves when every call that was running has come to its end, cancelled ones included. Never rejects. */
  callsEnded(): Promise<void>;
};

type Extra = Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, '_meta' | 'sendNotification'>;

/** Makes the MCP server named gemini-mcp-server, which offers tools and nothing else. */
export function createMcpServer(options: McpServerOptions): McpServer {
  const server = new Server(
    { name: 'gemini-mcp-server', title: 'Gemini', version: options.version },
    { capabilities: { tools: {} }, instructions, jsonSchemaValidator: refusingJsonSchemaValidator },
  );
  const host = new ToolHost({ ...options, surface: new SurfaceRegistry(options) });
  // The SDK calls parameters that fail this schema an internal error, those that fail its own check after it invalid.
  const looseCallRequest = CallToolRequestSchema.extend({ params: z.unknown() });
  const contextOf = (signal: AbortSignal): SurfaceContext => {
    const clientName = server.getClientVersion()?.name ?? null;
    return { owner: options.ownerOf(clientName), clientName: presentClientName(clientName), signal };
  };
  server.onerror = (error) => options.log({ event: 'protocol-error', correlationId: null, subject: null, error });
  server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
    if (params?.cursor !== undefined) {
      throw new RpcError(ErrorCode.InvalidParams, 'Unknown cursor: the tools fit on one page');
    }
    return { tools: await host.list() };
  });
  server.setRequestHandler(looseCallRequest, (request, extra) => {
    const { name, arguments: args = {} } = CallToolRequestParamsSchema.parse(request.params);
    return host.call({ name, args, from: contextOf(extra.signal), notify: createNotifier(extra) });
  });
  return {
    connect: (transport) => server.connect(transport),
    close: () => server.close(),
    callsEnded: () => host.callsEnded(),
  };
}

function presentClientName(name: string | null): string | null {
  return name === null ? null : escapeName(name.slice(0, maxClientNameLength));
}

/** Null when the client did not ask to be told. */
function createNotifier({ _meta, sendNotification }: Extra): IncomingCall['notify'] {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) {
    return null;
  }
  return (progress) => sendNotification({ method: 'notifications/progress', params: { ...progress, progressToken } });
}
