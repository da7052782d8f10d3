import { type Clock, escapeName } from '@gemini-mcp/core';
import { type CallToolResult, ErrorCode, type Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { concealError } from './conceal-error.ts';
import type { McpLog } from './mcp-log.ts';
import { ProgressReporter, type ProgressReporterOptions } from './progress-reporter.ts';
import { RpcError } from './rpc-error.ts';
import { cancelled, runTool } from './run-tool.ts';
import type { Tool, ToolContext, ToolOutcome } from './tool.ts';
import { type LoadedTools, ToolRegistry } from './tool-registry.ts';

const maxClientNameLength = 100;

export type ToolHostOptions = {
  readonly loadTools: () => Promise<readonly Tool[]>;
  readonly clock: Clock;
  readonly log: McpLog;
};

/** One call, as it came over the connection. */
export type IncomingCall = {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly clientName: string | null;
  readonly owner: string;
  /** Null when the client did not ask for progress. */
  readonly notify: ProgressReporterOptions['send'] | null;
};

/** Lists the tools and runs their calls, each with its progress, until it has ended. */
export class ToolHost {
  readonly #registry: ToolRegistry;
  readonly #clock: Clock;
  readonly #log: McpLog;
  readonly #running = new Set<Promise<CallToolResult>>();

  constructor(options: ToolHostOptions) {
    this.#registry = new ToolRegistry({ loadTools: options.loadTools });
    this.#clock = options.clock;
    this.#log = options.log;
  }

  async list(): Promise<ListedTool[]> {
    const { listed } = await this.#load();
    return [...listed];
  }

  /** Rejects with an `RpcError` when there is no such tool; every other failure is an error result. */
  call(incoming: IncomingCall, signal: AbortSignal): Promise<CallToolResult> {
    const call = this.#answer(incoming, signal).finally(() => this.#running.delete(call));
    this.#running.add(call);
    return call;
  }

  /** Resolves when every call that was running has ended, cancelled ones included. Never rejects. */
  async callsEnded(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #answer(incoming: IncomingCall, signal: AbortSignal): Promise<CallToolResult> {
    const { byName } = await this.#load();
    const tool = byName.get(incoming.name);
    if (tool === undefined) {
      throw new RpcError(ErrorCode.InvalidParams, `Unknown tool. The tools are: ${[...byName.keys()].join(', ')}`);
    }
    return present(signal.aborted ? cancelled : await this.#run(tool, incoming, signal));
  }

  async #run(tool: Tool, { args, clientName, owner, notify }: IncomingCall, signal: AbortSignal): Promise<ToolOutcome> {
    const reporter = notify === null ? null : new ProgressReporter({ clock: this.#clock, send: notify });
    const stop = (): void => reporter?.stop();
    signal.addEventListener('abort', stop, { once: true });
    const context: ToolContext = {
      signal,
      progress: (progress) => reporter?.report(progress),
      clientName: clientName === null ? null : escapeName(clientName.slice(0, maxClientNameLength)),
      owner,
    };
    try {
      return await runTool(tool, args, context, this.#log);
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
    }
  }

  async #load(): Promise<LoadedTools> {
    try {
      return await this.#registry.load();
    } catch (error) {
      const text = concealError({ event: 'tools-unavailable', toolName: null, error }, this.#log);
      throw new RpcError(ErrorCode.InternalError, text);
    }
  }
}

function present(outcome: ToolOutcome): CallToolResult {
  return {
    content: [{ type: 'text', text: outcome.text }],
    ...(outcome.isError && { isError: true }),
    ...(outcome.meta !== undefined && { _meta: { ...outcome.meta } }),
  };
}
