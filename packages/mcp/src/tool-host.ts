import type { Clock } from '@gemini-mcp/core';
import { type CallToolResult, ErrorCode, type ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import { cancelledOutcome } from './cancelled-outcome.ts';
import type { McpLog } from './mcp-log.ts';
import { presentOutcome } from './present-outcome.ts';
import { ProgressReporter, type ProgressReporterOptions } from './progress-reporter.ts';
import { CallQuestions } from './questions/call-questions.ts';
import type { Elicitor } from './questions/elicitor.ts';
import { requireFirstPage } from './request-params.ts';
import { RpcError } from './rpc-error.ts';
import { runTool } from './run-tool.ts';
import type { SurfaceContext } from './surface-context.ts';
import type { SurfaceRegistry } from './surface-registry.ts';
import type { Tool, ToolContext, ToolOutcome } from './tool.ts';

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
    return presentOutcome(incoming.from.signal.aborted ? cancelledOutcome : await this.#run(tool, incoming));
  }

  async #run(tool: Tool, { args, from, notify, elicitor }: IncomingCall): Promise<ToolOutcome> {
    const clock = this.#clock;
    const reporter = notify === null ? null : new ProgressReporter({ clock, send: notify });
    const { signal } = from;
    const onAsk = (): void => reporter?.report({ type: 'status', message: 'Waiting for an answer to a question' });
    const questions = new CallQuestions({ clock, elicitor, onAsk }, signal);
    const stop = (): void => reporter?.stop();
    signal.addEventListener('abort', stop, { once: true });
    const progress: ToolContext['progress'] = (news) => reporter?.report(news);
    const context: ToolContext = { ...from, progress, ask: questions.ask };
    try {
      return await runTool(tool, args, context, this.#log);
    } finally {
      signal.removeEventListener('abort', stop);
      questions.end();
      stop();
    }
  }
}
