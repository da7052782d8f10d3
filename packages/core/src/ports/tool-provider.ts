import type { InlineMedia } from './context-resolver.ts';

/** A tool that Gemini may call in a run. */
export type ModelTool = {
  /** Of letters, digits, `_` and `-`, 63 at most, a letter first; no two tools of a run have the same. */
  readonly name: string;
  /** For Gemini: what it does, and when to use it. */
  readonly description: string;
  /** The JSON Schema of the arguments, which are an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Whether a call may change something: such calls of one run are made one at a time, in Gemini's order. */
  readonly changes: boolean;
};

/** How far a call is, as what carries it out tells it. */
export type CallProgress = {
  readonly progress: number;
  /** What `progress` is at the end; null where that is not known. */
  readonly total: number | null;
  /** A stranger's words; may be empty. */
  readonly message: string;
};

/** One call that Gemini makes. */
export type ToolCall = {
  readonly name: string;
  /** As Gemini gave them: the source checks them. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Time by which the call has ended, in milliseconds since the epoch of the runner's clock. */
  readonly deadlineAtMs: number;
  /** Hears how far the call is, where its source can tell; nothing listens when it is missing. */
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
};

/** What Gemini is told of a call, also of one that was refused: it can do better next time. */
export type ToolResult = {
  /** For Gemini. Begins with a word, so that no reader takes it for bare data. */
  readonly text: string;
  /** The same as data, for a reader that can take it. */
  readonly data: Readonly<Record<string, unknown>>;
  /** What goes with the text, where the runner can carry it. None when it is missing. */
  readonly media?: readonly InlineMedia[];
  /** Whether the call was carried out; otherwise nothing was changed by it. */
  readonly isDone: boolean;
};

/**
 * Tools that a run lends to Gemini, and what carries out their calls. An implementer owes:
 *
 * - The tools that there are, in an order that does not change by itself: equal lists make equal beginnings of requests.
 * - A result for each call, whatever its arguments: of a tool that is not there too. Never a rejection. A refusal says in its text what
 *   was refused, why, and what to do.
 * - The end of the call by its deadline and soon after an abort, with everything that it started, and as a result that says so.
 * - Calls that go on side by side, unless their tools change something: those come one at a time from one run, and side by side from
 *   several.
 */
export interface ToolProvider {
  /**
   * Names what the calls reach besides the owner of the run, such as a directory with what bounds them in it: what a program remembers of
   * results may be told to a later run of the owner whose sources have the same reach. Missing where that is never so.
   */
  readonly cacheKey?: string;
  /** Resolves to the tools as they are now; rejects only when it is aborted, with the reason of the signal. */
  list(signal: AbortSignal): Promise<readonly ModelTool[]>;
  call(call: ToolCall, signal: AbortSignal): Promise<ToolResult>;
  /** Hears of a call of a name that no source of the run offers. Must not throw. Missing if it has no use for that. */
  onUnknownName?(name: string): void;
  /** Hears of each change of the list until what it returns is called. Missing where the list never changes. */
  onChange?(listener: () => void): () => void;
}
