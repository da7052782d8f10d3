import type { Clock } from '@gemini-mcp/core';
import { invalidParams, requireFirstPage } from '../input/request-params.ts';
import type { Elicitor } from '../questions/call-questions.ts';
import type { SurfaceContext } from '../surface/surface-context.ts';
import type { SurfaceTool } from './loaded-surface.ts';
import type { McpLog } from './mcp-log.ts';
import type { ProgressReporterOptions } from './progress-reporter.ts';
import { type CallResult, runCall } from './run-call.ts';
import type { SurfaceRegistry } from './surface-registry.ts';

export type ToolHandlersOptions = {
  readonly surface: SurfaceRegistry;
  readonly clock: Clock;
  readonly log: McpLog;
};

/** One call as received. */
export type IncomingCall = {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly from: SurfaceContext;
  /** Null when the client did not ask for progress. */
  readonly notify: ProgressReporterOptions['send'] | null;
  readonly elicitor: Elicitor;
};

/** Lists the tools and runs their calls, each with its progress. */
export class ToolHandlers {
  readonly #surface: SurfaceRegistry;
  readonly #clock: Clock;
  readonly #log: McpLog;

  constructor(options: ToolHandlersOptions) {
    this.#surface = options.surface;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  async list(params: unknown): Promise<{ readonly tools: readonly SurfaceTool[] }> {
    requireFirstPage(params, 'tools');
    const { listedTools } = await this.#surface.loadFor('tools');
    return { tools: listedTools };
  }

  /** Rejects with an `RpcError` for an unknown tool; every other failure is an error result. */
  async call(incoming: IncomingCall): Promise<CallResult> {
    const { tools } = await this.#surface.loadWithRoots(incoming.from.signal);
    const tool = tools.get(incoming.name);
    if (tool === undefined) {
      throw invalidParams(`Unknown tool. The tools are: ${[...tools.keys()].join(', ')}`);
    }
    return await runCall(tool, { ...incoming, clock: this.#clock, log: this.#log });
  }
}
