import type { Clock, ModelTool, ToolCall, ToolResult } from '@gemini-mcp/core';
import { readCall } from '../../../handlers/create-handlers.ts';
import type { McpLog } from '../../../handlers/mcp-log.ts';
import type { Introduction } from '../../../handlers/mcp-server-options.ts';
import type { CallResult } from '../../../handlers/run-call.ts';
import { isJsonObject } from '../../../input/request-params.ts';
import type { RequestHandlers } from '../create-mcp-server.ts';
import { ServerPerRequest } from './server-per-request.ts';

/** A call, with the id of its request. */
export type ServedCall = Pick<ToolCall, 'name' | 'arguments'> & { readonly id: string | number };

export type ToolServerOptions = {
  readonly clock: Clock;
  readonly log: McpLog;
  readonly version: string;
  readonly introduction: Introduction;
  /** At least one. */
  readonly tools: readonly ModelTool[];
  /** Carries out a call. Must not reject, and ends soon after an abort. */
  readonly call: (call: ServedCall, signal: AbortSignal) => Promise<ToolResult>;
  /** Called each time that the client gets the list. */
  readonly onListed: () => void;
};

/** The Gemini CLI adds it to each schema, and passes it on. */
const addedByCli = 'wait_for_previous';

const empty = { tools: [], prompts: [], resources: [] };

/** Serves a fixed list of tools over Streamable HTTP, without sessions, to a known client. */
export class ToolServer {
  readonly #options: ToolServerOptions;
  readonly #requests: ServerPerRequest;

  constructor(options: ToolServerOptions) {
    this.#options = options;
    this.#requests = new ServerPerRequest({ ...options, onlyTools: true }, (handlers) => ({
      ...handlers,
      ...this.#handlers(),
    }));
  }

  /**
   * Answers a POST with this body: a tool call as a stream of events, which begins at once, anything else as JSON. Once `signal` is
   * aborted, the request's running calls are cancelled.
   */
  post(request: Request, body: unknown, signal: AbortSignal): Promise<Response> {
    return this.#requests.post(request, body, { owner: '', binding: '', surface: empty, signal });
  }

  /** Aborts the running calls, and refuses later requests. */
  close(): Promise<void> {
    return this.#requests.close();
  }

  #handlers(): RequestHandlers {
    const { tools, call, onListed } = this.#options;
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    return {
      'tools/list': async () => {
        onListed();
        return { tools: tools.map(listTool) };
      },
      'tools/call': async (params, { request }) => {
        const { name, args } = readCall(params);
        const made = { id: request.id, name, arguments: withoutAdded(args, byName.get(name)) };
        return toCallResult(await call(made, request.signal));
      },
    };
  }
}

function listTool({ name, description, inputSchema, changes }: ModelTool): {
  name: string;
  description: string;
  inputSchema: { type: 'object' };
  annotations: { readOnlyHint: boolean };
} {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    annotations: { readOnlyHint: !changes },
  };
}

function withoutAdded(args: ToolCall['arguments'], tool: ModelTool | undefined): ToolCall['arguments'] {
  const { properties } = tool?.inputSchema ?? {};
  if (isJsonObject(properties) && Object.hasOwn(properties, addedByCli)) {
    return args;
  }
  const { [addedByCli]: _, ...others } = args;
  return others;
}

/**
 * Never a protocol error: for one the Gemini CLI shows its model the call and the result as JSON. Always with data: otherwise the CLI
 * would take a text of JSON that is not an object for the data, and refuse it.
 */
function toCallResult({ text, data, media = [] }: ToolResult): CallResult {
  const blocks = media.map(({ mediaType, bytes }) => ({
    type: 'image' as const,
    mimeType: mediaType,
    data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  }));
  return { content: [{ type: 'text', text }, ...blocks], structuredContent: { ...data } };
}
