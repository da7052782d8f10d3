import type { ModelTool, ToolCall, ToolProvider, ToolResult } from '../ports/tool-provider.ts';
import { raceAbort } from '../waiting/race-abort.ts';
import { aborted } from '../waiting/unless-aborted.ts';

type Offered = { readonly tool: ModelTool; readonly source: ToolProvider };

/** A call and its result. */
export type AnsweredCall<Call extends ToolCall> = { readonly call: Call; readonly result: ToolResult };

/** The model tools of one run, and the providers that carry out their calls. */
export class ToolRouter {
  /** In the order of the providers, and of each provider. */
  readonly tools: readonly ModelTool[];
  readonly #offered: ReadonlyMap<string, Offered>;
  readonly #sources: readonly ToolProvider[];
  #lastChange: Promise<unknown> = Promise.resolve();
  /** The calls since then that have not ended. */
  readonly #sinceChange = new Set<Promise<unknown>>();

  private constructor(offered: ReadonlyMap<string, Offered>, sources: readonly ToolProvider[]) {
    this.#sources = sources;
    this.#offered = offered;
    this.tools = [...offered.values()].map(({ tool }) => tool);
  }

  /** Lists the tools of all providers at once; of tools with the same name, the first counts. Rejects if aborted. */
  static async from(sources: readonly ToolProvider[], signal: AbortSignal): Promise<ToolRouter> {
    const lists = await Promise.all(sources.map(async (source) => ({ source, tools: await source.list(signal) })));
    const offered = new Map<string, Offered>();
    for (const { source, tools } of lists) {
      for (const tool of tools) {
        if (!offered.has(tool.name)) {
          offered.set(tool.name, { tool, source });
        }
      }
    }
    return new ToolRouter(offered, sources);
  }

  /** Carries out calls that Gemini made together, like `carryOutNext`. Resolves to them with their results, in order. */
  async carryOut<Call extends ToolCall>(
    calls: readonly Call[],
    signal: AbortSignal,
  ): Promise<readonly AnsweredCall<Call>[]> {
    return await Promise.all(calls.map(async (call) => ({ call, result: await this.carryOutNext(call, signal) })));
  }

  /**
   * Carries out the next call of the run. A call that may change something waits for all earlier calls, and all later ones wait for it, even if it
   * was aborted and its provider has not finished; others run concurrently. Never rejects, and resolves soon after an abort.
   */
  async carryOutNext(call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
    const result = await raceAbort(this.#inTurn(call, signal), signal);
    return result === aborted ? runIsOver : result;
  }

  #inTurn(call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
    if (this.#offered.get(call.name)?.tool.changes === true) {
      const made = Promise.all([this.#lastChange, ...this.#sinceChange]).then(() => this.#call(call, signal));
      this.#lastChange = made;
      this.#sinceChange.clear();
      return made;
    }
    const made = this.#lastChange.then(() => this.#call(call, signal));
    this.#sinceChange.add(made);
    // Ended calls are forgotten: a run may make any number of calls.
    void made.then(() => this.#sinceChange.delete(made));
    return made;
  }

  async #call(call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
    const offered = this.#offered.get(call.name);
    if (signal.aborted) {
      return runIsOver;
    }
    if (offered === undefined) {
      for (const source of this.#sources) {
        source.onUnknownName?.(call.name);
      }
      return refused('not-found', `There is no such tool. The tools are: ${[...this.#offered.keys()].join(', ')}.`);
    }
    try {
      return await offered.source.call(call, signal);
    } catch {
      return refused('failed', 'The tool failed. Go on without it, or try once more.');
    }
  }
}

const runIsOver: ToolResult = refused('cancelled', 'The call was cancelled.');

function refused(code: string, message: string): ToolResult {
  return { text: `Refused: ${message}`, data: { code, message }, isDone: false };
}
