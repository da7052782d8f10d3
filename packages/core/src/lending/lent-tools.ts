import type { LentCall, LentResult, LentTool, ToolSource } from '../ports/tool-source.ts';
import { beforeAbort } from '../waiting/before-abort.ts';
import { aborted } from '../waiting/unless-aborted.ts';

/** A tool, and the source that carries out its calls. */
type Offered = { readonly tool: LentTool; readonly source: ToolSource };

/** A call, and what came of it. */
export type AnsweredCall<Call extends LentCall> = { readonly call: Call; readonly result: LentResult };

/** The tools that a run lends, with the way to their sources. */
export class LentTools {
  /** In the order of the sources, and of each source. */
  readonly tools: readonly LentTool[];
  readonly #offered: ReadonlyMap<string, Offered>;

  private constructor(offered: ReadonlyMap<string, Offered>) {
    this.#offered = offered;
    this.tools = [...offered.values()].map(({ tool }) => tool);
  }

  /** Asks all sources at once for their tools; of tools with one name, the first counts. Rejects when it is aborted. */
  static async from(sources: readonly ToolSource[], signal: AbortSignal): Promise<LentTools> {
    const lists = await Promise.all(sources.map(async (source) => ({ source, tools: await source.list(signal) })));
    const offered = new Map<string, Offered>();
    for (const { source, tools } of lists) {
      for (const tool of tools) {
        if (!offered.has(tool.name)) {
          offered.set(tool.name, { tool, source });
        }
      }
    }
    return new LentTools(offered);
  }

  /**
   * Carries out calls that Gemini made together. Resolves to them with their results, in their order. A call that may change something waits for
   * those before it, and those after it wait for that one; others go on side by side. Never rejects.
   */
  async carryOut<Call extends LentCall>(
    calls: readonly Call[],
    signal: AbortSignal,
  ): Promise<readonly AnsweredCall<Call>[]> {
    const answered: Promise<AnsweredCall<Call>>[] = [];
    let sinceChange: Promise<unknown>[] = [];
    let lastChange: Promise<unknown> = Promise.resolve();
    for (const call of calls) {
      const changes = this.#offered.get(call.name)?.tool.changes ?? false;
      const before = changes ? Promise.all([lastChange, ...sinceChange]) : lastChange;
      const made = before.then(async () => ({ call, result: await this.#call(call, signal) }));
      answered.push(made);
      if (changes) {
        lastChange = made;
        sinceChange = [];
      } else {
        sinceChange.push(made);
      }
    }
    return await Promise.all(answered);
  }

  async #call(call: LentCall, signal: AbortSignal): Promise<LentResult> {
    const offered = this.#offered.get(call.name);
    if (signal.aborted) {
      return runIsOver;
    }
    if (offered === undefined) {
      return refused('not-found', `There is no such tool. The tools are: ${[...this.#offered.keys()].join(', ')}.`);
    }
    try {
      // Also where a source does not keep to its promise to end then.
      const result = await beforeAbort(offered.source.call(call, signal), signal);
      return result === aborted ? runIsOver : result;
    } catch {
      return refused('failed', 'The tool failed. Go on without it, or try once more.');
    }
  }
}

const runIsOver: LentResult = refused('cancelled', 'The run has ended.');

function refused(code: string, message: string): LentResult {
  return { text: `Refused: ${message}`, data: { code, message }, isDone: false };
}
