import type { CallDirectory } from '../ports/gemini-runner/run-request.ts';
import type { RunSettings } from '../ports/gemini-runner/run-settings.ts';
import type { ServersOfCall } from '../ports/upstreams/tool-provider-factory.ts';

/** The first message of a conversation. */
export type ChatRequest = {
  readonly owner: string;
  readonly prompt: string;
  /** For the whole conversation; null leaves the choice to the chain, message by message. */
  readonly model: string | null;
  /** For the whole conversation: its system prompt. */
  readonly settings: RunSettings;
  /** For the whole conversation: what Gemini looks into. None if missing. */
  readonly directory?: CallDirectory;
  /** As in `AskRequest`, for this message. */
  readonly servers?: ServersOfCall;
  readonly timeoutMs: number;
};

/** A further message. What is null is as it was in the conversation; what is not holds from now on. */
export type ChatReplyRequest = {
  readonly owner: string;
  /** Null means the owner's conversation that was used last. */
  readonly sessionId: string | null;
  readonly prompt: string;
  readonly model: string | null;
  readonly systemPrompt: string | null;
  readonly directory: string | null;
  /** Without it the directory of the conversation plays no part, and stays as it is; true when it is missing. */
  readonly mayReadFiles?: boolean;
  /** As in `CallDirectory`, for this message. */
  readonly roots?: readonly string[];
  /** As in `AskRequest`, for this message. */
  readonly servers?: ServersOfCall;
  readonly timeoutMs: number;
};
