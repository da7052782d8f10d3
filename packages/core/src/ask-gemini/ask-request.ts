import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { OpinionPlace } from '../fallback/model-chain.ts';
import type { ToolEvent } from '../ports/gemini-runner/run-event.ts';
import type { CallDirectory, ConversationTurn } from '../ports/gemini-runner/run-request.ts';
import type { RunSettings } from '../ports/gemini-runner/run-settings.ts';
import type { ToolProvider } from '../ports/tool-provider.ts';
import type { TraceContext } from '../ports/trace-context.ts';
import type { ServersOfCall } from '../ports/upstreams/tool-provider-factory.ts';

/** A question to Gemini, with the names of the files it is about. */
export type AskRequest = {
  readonly prompt: string;
  readonly files: readonly string[];
  readonly globPatterns: readonly string[];
  readonly directories: readonly string[];
  /** A model named here is retried but never replaced; null leaves the choice to the chain. */
  readonly model: string | null;
  /** Set if this is one of several independent answers: each begins with another model of the chain. */
  readonly opinion?: OpinionPlace | undefined;
  /** The limit for everything: reading, queueing, waiting, retries, fallback. */
  readonly timeoutMs: number;
  readonly maxFiles: number;
  readonly maxBytes: number;
  /** Of images, PDFs and other media; the runner's limit if missing. */
  readonly maxMediaBytes?: number;
  /** The owner of the call: slots in the queue are shared among owners. All calls without one share one. */
  readonly owner?: string;
  /** The conversation so far, oldest first: user and model alternate, beginning with the user. */
  readonly history?: readonly ConversationTurn[];
  /** Whether the conversation may go on after the answer. */
  readonly mayContinue?: boolean;
  /** `plainRunSettings` if missing. */
  readonly settings?: RunSettings;
  /** The directory that Gemini reads with model tools, or works in with `everything`. No directory if missing. */
  readonly directory?: CallDirectory;
  /** As in `RunRequest`, like `urls`. */
  readonly answerSchema?: Readonly<Record<string, unknown>>;
  readonly urls?: readonly string[];
  readonly toolProviders?: readonly ToolProvider[];
  /** Upstreams whose tools Gemini may use, if the receiver supports it. No upstreams if missing. */
  readonly servers?: ServersOfCall;
  /** The trace of the call, for the requests that it makes. No trace if missing. */
  readonly trace?: TraceContext | undefined;
  /** Who makes the call, for the usage ledger. Unknown if missing. */
  readonly origin?: CallOrigin | undefined;
  /** The lasting effects of earlier attempts, appended to the message of the next one. Nothing if empty or missing. */
  readonly doneBefore?: () => string;
};

/** The tool that makes a call, and the client that called the tool. */
export type CallOrigin = {
  readonly tool: string;
  /** The client's own name, unverified; null if unknown. */
  readonly clientName: string | null;
};

/** The progress of a call. */
export type AskProgress =
  /** Waits for a slot, after `ahead` other calls. */
  | { readonly type: 'queued'; readonly ahead: number }
  | { readonly type: 'reading-context' }
  | { readonly type: 'context-ready'; readonly files: number; readonly bytes: number }
  | { readonly type: 'asking'; readonly model: string; readonly attempt: number }
  /** What the runner waits for before Gemini is asked, such as a program download: one line of its own. */
  | { readonly type: 'status'; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  /** Steps of Gemini's tools, as the runner reports them. */
  | ToolEvent
  | { readonly type: 'waiting'; readonly model: string; readonly delayMs: number; readonly failure: GeminiFailure }
  | { readonly type: 'falling-back'; readonly from: string; readonly to: string; readonly failure: GeminiFailure };

/** Receives the progress of a call. Must not throw. */
export type OnProgress = (progress: AskProgress) => void;

/** The fields of a request that names no files. */
export const withoutFiles: Pick<AskRequest, 'files' | 'globPatterns' | 'directories' | 'maxFiles' | 'maxBytes'> = {
  files: [],
  globPatterns: [],
  directories: [],
  maxFiles: 0,
  maxBytes: 0,
};
