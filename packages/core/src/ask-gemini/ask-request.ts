import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { ToolEvent } from '../ports/gemini-runner/run-event.ts';
import type { CallDirectory, ConversationTurn } from '../ports/gemini-runner/run-request.ts';
import type { RunSettings } from '../ports/gemini-runner/run-settings.ts';
import type { ToolProvider } from '../ports/tool-provider.ts';
import type { ServersOfCall } from '../ports/upstreams/tool-provider-factory.ts';

/** A question to Gemini with the names of what it is about. */
export type AskRequest = {
  readonly prompt: string;
  readonly files: readonly string[];
  readonly globPatterns: readonly string[];
  readonly directories: readonly string[];
  /** A model that is asked for by name is retried but never replaced; null leaves the choice to the chain. */
  readonly model: string | null;
  /** Everything fits inside it: reading, queueing, waiting, retries, fallback. */
  readonly timeoutMs: number;
  readonly maxFiles: number;
  readonly maxBytes: number;
  /** Of images, PDFs and other media; as much as the runner carries when it is missing. */
  readonly maxMediaBytes?: number;
  /** On whose behalf: places in the queue are shared out among owners. All who give none share one. */
  readonly owner?: string;
  /** What was said before, oldest first: user and model in turn, beginning with the user. */
  readonly history?: readonly ConversationTurn[];
  /** Whether the conversation may go on after the answer. */
  readonly mayContinue?: boolean;
  /** `plainRunSettings` when it is missing. */
  readonly settings?: RunSettings;
  /** What Gemini looks into, by tools that it is lent; with `everything` what it works on. None if missing. */
  readonly directory?: CallDirectory;
  /** As in `RunRequest`, as is `urls`. */
  readonly answerSchema?: Readonly<Record<string, unknown>>;
  readonly urls?: readonly string[];
  readonly toolProviders?: readonly ToolProvider[];
  /** Other servers whose tools are lent, where what is asked can lend them. None when it is missing. */
  readonly servers?: ServersOfCall;
  /** What attempts before the next one have done that lasts: it is put after the message of that one. Nothing where it is empty or missing. */
  readonly doneBefore?: () => string;
};

/** What a call is doing, as it does it. */
export type AskProgress =
  /** Waits for a place; `ahead` calls are before it. */
  | { readonly type: 'queued'; readonly ahead: number }
  | { readonly type: 'reading-context' }
  | { readonly type: 'context-ready'; readonly files: number; readonly bytes: number }
  | { readonly type: 'asking'; readonly model: string; readonly attempt: number }
  /** What the runner waits for before Gemini is asked, such as a program that is downloaded: one line of its own. */
  | { readonly type: 'status'; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  /** What Gemini's tools do, as the runner tells it. */
  | ToolEvent
  | { readonly type: 'waiting'; readonly model: string; readonly delayMs: number; readonly failure: GeminiFailure }
  | { readonly type: 'falling-back'; readonly from: string; readonly to: string; readonly failure: GeminiFailure };

/** Hears what a call is doing. Must not throw. */
export type OnProgress = (progress: AskProgress) => void;

/** What a request says that names no files. */
export const withoutFiles: Pick<AskRequest, 'files' | 'globPatterns' | 'directories' | 'maxFiles' | 'maxBytes'> = {
  files: [],
  globPatterns: [],
  directories: [],
  maxFiles: 0,
  maxBytes: 0,
};
