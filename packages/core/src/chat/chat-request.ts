import type { CallOrigin } from '../ask-gemini/ask-request.ts';
import type { CallDirectory } from '../ports/gemini-runner/run-request.ts';
import type { RunSettings } from '../ports/gemini-runner/run-settings.ts';
import type { TraceContext } from '../ports/trace-context.ts';
import type { ServersOfCall } from '../ports/upstreams/tool-provider-factory.ts';

/** The first message of a conversation. */
export type ChatRequest = {
  readonly owner: string;
  readonly prompt: string;
  /** For the whole conversation; null leaves the choice to the chain, message by message. */
  readonly model: string | null;
  /** For the whole conversation, including its system prompt. */
  readonly settings: RunSettings;
  /** The directory that Gemini reads in the whole conversation. No directory if missing. */
  readonly directory?: CallDirectory;
  /** As in `AskRequest`, for this message. */
  readonly servers?: ServersOfCall;
  /** Whether Gemini may search the web in the whole conversation. False if missing. */
  readonly search?: boolean | undefined;
  /** As in `AskRequest`, for this message. */
  readonly urls?: readonly string[] | undefined;
  readonly timeoutMs: number;
  /** As in `AskRequest`. */
  readonly trace?: TraceContext | undefined;
  readonly origin?: CallOrigin | undefined;
};

/** A further message. A null value keeps that of the conversation; any other replaces it from now on. */
export type ChatReplyRequest = {
  readonly owner: string;
  /** Null for the owner's most recently used conversation. */
  readonly sessionId: string | null;
  readonly prompt: string;
  readonly model: string | null;
  readonly systemPrompt: string | null;
  readonly directory: string | null;
  /** If false, the directory of the conversation is not used, but stays set; true if missing. */
  readonly mayReadFiles?: boolean;
  /** As in `CallDirectory`, for this message. */
  readonly roots?: readonly string[];
  /** As in `AskRequest`, for this message. */
  readonly servers?: ServersOfCall;
  /** Whether Gemini may search the web from now on. As before if missing. */
  readonly search?: boolean | undefined;
  /** As in `AskRequest`, for this message. */
  readonly urls?: readonly string[] | undefined;
  readonly timeoutMs: number;
  /** As in `AskRequest`. */
  readonly trace?: TraceContext | undefined;
  readonly origin?: CallOrigin | undefined;
};
