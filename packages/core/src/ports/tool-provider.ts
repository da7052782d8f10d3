import type { InlineMedia } from './context-resolver.ts';

/** A tool that Gemini may call in a run. */
export type ModelTool = {
  /** Letters, digits, `_` and `-`, at most 63, a letter first; unique within a run. */
  readonly name: string;
  /** For Gemini: what the tool does, and when to use it. */
  readonly description: string;
  /** JSON Schema of the arguments, which are an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Whether a call may change something: such calls of one run are made one at a time, in Gemini's order. */
  readonly changes: boolean;
};

/** The progress of a call, as its provider reports it. */
export type CallProgress = {
  readonly progress: number;
  /** The value of `progress` at the end; null if unknown. */
  readonly total: number | null;
  /** Untrusted; may be empty. */
  readonly message: string;
};

/** One call that Gemini makes. */
export type ToolCall = {
  readonly name: string;
  /** As Gemini gave them: the provider validates them. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Time by which the call must have ended, in milliseconds since the epoch of the runner's clock. */
  readonly deadlineAtMs: number;
  /** Receives progress, if the provider reports it. */
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
};

/** The result that Gemini gets, also for a refused call, so that its next call can be better. */
export type ToolResult = {
  /** For Gemini. Begins with a word, so that no reader takes it for bare data. */
  readonly text: string;
  /** The same as structured data. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Media to send with the text, if the runner supports it. Empty if missing. */
  readonly media?: readonly InlineMedia[];
  /** Whether the call was carried out; if not, it changed nothing. */
  readonly isDone: boolean;
};

/**
 * Provides tools for a run of Gemini and carries out their calls. Implementations must:
 *
 * - List the available tools in a stable order: equal lists make equal request prefixes.
 * - Resolve each call to a result, whatever its arguments and even if the tool does not exist, and never reject. A refusal's text names the
 *   refused step, the reason and the remedy.
 * - End a call by its deadline and soon after an abort, with everything that it started, and with a result that says so.
 * - Run calls concurrently, except that calls of tools that change something run one at a time within a run.
 */
export interface ToolProvider {
  /**
   * Identifies what the calls can reach besides the run's owner, such as a directory and its bounds. A later run of the same owner may see remembered
   * results only if its providers have the same key. Missing if it never may.
   */
  readonly cacheKey?: string;
  /** Resolves to the current tools; rejects only if aborted, with the signal's reason. */
  list(signal: AbortSignal): Promise<readonly ModelTool[]>;
  call(call: ToolCall, signal: AbortSignal): Promise<ToolResult>;
  /** Called for a tool name that no provider of the run offers. Must not throw. */
  onUnknownName?(name: string): void;
  /** Calls the listener on each change of the list until the returned function is called. Missing if the list never changes. */
  onChange?(listener: () => void): () => void;
}
