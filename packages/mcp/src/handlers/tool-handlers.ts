import type { Clock, JobReport } from '@gemini-mcp/core';
import { invalidParams, requireFirstPage } from '../input/request-params.ts';
import type { JsonObject } from '../input/tool-input.ts';
import type { Elicitor } from '../questions/call-questions.ts';
import { findTool } from '../surface/find-tool.ts';
import type { SurfaceContext } from '../surface/surface-context.ts';
import type { ToolOutcome } from '../surface/tool.ts';
import { type CallLimit, CallLimits } from './call-limits.ts';
import type { SurfaceTool } from './loaded-surface.ts';
import type { McpLog } from './mcp-log.ts';
import type { ProgressReporterOptions } from './progress-reporter.ts';
import { type CallResult, runCall } from './run-call.ts';
import type { SurfaceRegistry } from './surface-registry.ts';

export type ToolHandlersOptions = {
  readonly surface: SurfaceRegistry;
  readonly clock: Clock;
  readonly log: McpLog;
  /** As in `McpServerOptions`. */
  readonly callLimitMs?: number | null | undefined;
};

/** One call as received. */
export type IncomingCall = {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** As `CallLimits` takes it. */
  readonly statedLimitMs: number | null;
  readonly from: SurfaceContext;
  /** Null when the client did not ask for progress. */
  readonly notify: ProgressReporterOptions['send'] | null;
  readonly elicitor: Elicitor;
  /**
   * Presents a job as which the call goes on; the job can then ask the client as the call could. Resolves to null if the client takes the text with the
   * handle instead, as it does if this is missing.
   */
  readonly asTask?: ((job: JobReport<ToolOutcome>) => Promise<JsonObject | null>) | undefined;
};

/** Lists the tools and runs their calls, each with its progress. */
export class ToolHandlers {
  readonly #surface: SurfaceRegistry;
  readonly #clock: Clock;
  readonly #log: McpLog;
  readonly #limits: CallLimits;

  constructor(options: ToolHandlersOptions) {
    this.#surface = options.surface;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#limits = new CallLimits(options.callLimitMs ?? null);
  }

  async list(params: unknown): Promise<{ readonly tools: readonly SurfaceTool[] }> {
    requireFirstPage(params, 'tools');
    const { listedTools } = await this.#surface.loadFor('tools');
    return { tools: listedTools };
  }

  /** Rejects with an `RpcError` for an unknown tool; every other failure is an error result. */
  async call(incoming: IncomingCall): Promise<CallResult | JsonObject> {
    const startedAtMs = this.#clock.now();
    const { tools } = await this.#surface.loadWithRoots(incoming.from.signal);
    const tool = tools.get(incoming.name) ?? findTool([...tools.values()], incoming.name);
    if (tool === undefined) {
      throw invalidParams(`Unknown tool. The tools are: ${[...tools.keys()].join(', ')}`);
    }
    const { clientName } = incoming.from;
    const limit: CallLimit = {
      startedAtMs,
      returnAfterMs: this.#limits.returnAfterMs({
        statedMs: incoming.statedLimitMs,
        clientName,
        takesTasks: incoming.asTask !== undefined,
      }),
      onTimeout: (afterMs) => this.#limits.noteTimeout(afterMs),
    };
    return await runCall(tool, { ...incoming, limit, clock: this.#clock, log: this.#log });
  }
}
