import type { InlineMedia } from '../context-resolver.ts';
import type { ToolProvider } from '../tool-provider.ts';
import type { TraceContext } from '../trace-context.ts';
import type { RunSettings } from './run-settings.ts';

/** One message of a conversation. */
export type ConversationTurn = {
  readonly role: 'user' | 'model';
  readonly text: string;
};

/** A directory that a call names. */
export type CallDirectory = {
  /** Absolute. */
  readonly path: string;
  /** If the directory cannot be used: whether the call runs without it and says so. Otherwise the call is refused. */
  readonly isOptional: boolean;
  /** Absolute directories; the path must also lie at or below one of them, so an empty list allows nothing. No such limit if missing. */
  readonly roots?: readonly string[];
};

export type RunRequest = {
  readonly model: string;
  /** The whole message to Gemini, delivered literally: the transport interprets nothing in it as a command. */
  readonly input: string;
  /** Time by which the run must have ended, in milliseconds since the epoch of the runner's clock. */
  readonly deadlineAtMs: number;
  /** The conversation so far, oldest first: user and model alternate, beginning with the user. Empty if missing. */
  readonly history?: readonly ConversationTurn[];
  /**
   * The owner of the run. A runner shares what it keeps between runs out among owners, so that one owner's runs do not slow another's. No owner if
   * missing.
   */
  readonly owner?: string;
  /** Images, PDFs and other media that go with the message, in order. Empty if missing. */
  readonly media?: readonly InlineMedia[];
  /** `plainRunSettings` if missing. */
  readonly settings?: RunSettings;
  /**
   * The directory Gemini works in with `everything`: the runner refuses a directory that is not allowed as `directory-refused`, and a directory
   * without `everything` as `unsupported`. No directory if missing.
   */
  readonly directory?: CallDirectory;
  /**
   * Whether another turn may follow, with this message and its answer at the end of its `history`. If so, a runner may keep state that speeds up that
   * turn; if not, it keeps nothing of the run.
   */
  readonly mayContinue?: boolean;
  /** JSON Schema for the answer, which is then one JSON value; the runner enforces the keywords that it supports. Prose if missing. */
  readonly answerSchema?: Readonly<Record<string, unknown>>;
  /** Addresses (http and https) of pages that Google reads for the answer. Empty if missing. */
  readonly urls?: readonly string[];
  /** Providers of the tools that Gemini may call in the run, besides those that `settings` allow. Empty if missing. */
  readonly toolProviders?: readonly ToolProvider[];
  /** The trace of the call. A runner that calls Google by itself passes `traceparent` and `tracestate` on. No trace if missing. */
  readonly trace?: TraceContext | undefined;
};

/** The parts of a request that decide which runner can carry it, before its message is written. */
export type RunNeeds = Pick<
  RunRequest,
  'history' | 'settings' | 'directory' | 'answerSchema' | 'urls' | 'toolProviders'
>;
