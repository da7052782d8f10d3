import type { Clock } from '@gemini-mcp/core';
import { type CallToolResult, ErrorCode, type ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import type { Elicitor } from '../edges/legacy/elicitor.ts';
import { RpcError, requireFirstPage } from '../input/request-params.ts';
import type { SurfaceContext } from '../surface/surface.ts';
import type { McpLog } from './mcp-log.ts';
import type { ProgressReporterOptions } from './progress-reporter.ts';
import { runCall } from './run-call.ts';
import type { SurfaceRegistry } from './surface-registry.ts';

export type ToolHostOptions = {
  readonly surface: SurfaceRegistry;
  readonly clock: Clock;
  readonly log: McpLog;
};

/** One call, as it came over the connection. */
export type IncomingCall = {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly from: SurfaceContext;
  /** Null when the client did not ask for progress. */
  readonly notify: ProgressReporterOptions['send'] | null;
  readonly elicitor: Elicitor;
};

/** Lists the tools and runs their calls, each with its progress. */
export class ToolHost {
  readonly #surface: SurfaceRegistry;
  readonly #clock: Clock;
  readonly #log: McpLog;

  constructor(options: ToolHostOptions) {
    this.#surface = options.surface;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  async list(params: unknown): Promise<ListToolsResult> {
    requireFirstPage(params, 'tools');
    const { listedTools } = await this.#surface.loadFor('tools');
    return { tools: [...listedTools] };
  }

  /** Rejects with an `RpcError` when there is no such tool; every other failure is an error result. */
  async call(incoming: IncomingCall): Promise<CallToolResult> {
    const { tools } = await this.#surface.loadWithRoots(incoming.from.signal);
    const tool = tools.get(incoming.name);
    if (tool === undefined) {
      throw new RpcError(ErrorCode.InvalidParams, `Unknown tool. The tools are: ${[...tools.keys()].join(', ')}`);
    }
    return await runCall(tool, { ...incoming, clock: this.#clock, log: this.#log });
  }
}
