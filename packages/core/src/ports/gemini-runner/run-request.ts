import type { InlineMedia } from '../context-resolver.ts';
import type { ToolProvider } from '../tool-provider.ts';
import type { RunSettings } from './run-settings.ts';

/** One thing that was said in a conversation. */
export type ConversationTurn = {
  readonly role: 'user' | 'model';
  readonly text: string;
};

/** A directory that a call names. */
export type CallDirectory = {
  /** Absolute. */
  readonly path: string;
  /** Whether the call goes on without it where it cannot be given, and says so; otherwise it is refused. */
  readonly isOptional: boolean;
  /**
   * Absolute directories at or below which it has to lie as well, whatever else is allowed: an empty list allows none. No such limit
   * if missing.
   */
  readonly roots?: readonly string[];
};

export type RunRequest = {
  readonly model: string;
  /** The whole message to Gemini, delivered literally: nothing in it is a command to whatever carries it. */
  readonly input: string;
  /** Time by which the run has ended, in milliseconds since the epoch of the runner's clock. */
  readonly deadlineAtMs: number;
  /** What was said before, oldest first: user and model in turn, beginning with the user. None when it is missing. */
  readonly history?: readonly ConversationTurn[];
  /**
   * On whose behalf: what a runner keeps between runs it shares out among owners, and one owner's runs do not make another's
   * slow. No one's when it is missing.
   */
  readonly owner?: string;
  /** Images, PDFs and other media that go with the message, in order. None when it is missing. */
  readonly media?: readonly InlineMedia[];
  /** `plainRunSettings` when it is missing. */
  readonly settings?: RunSettings;
  /**
   * What Gemini works on with `everything`: the runner refuses one that is not allowed as `directory-refused`, and one that comes with
   * less as `unsupported`. None if missing.
   */
  readonly directory?: CallDirectory;
  /**
   * Whether another turn may follow, with this message and its answer at the end of its `history`: a runner may keep what
   * makes that one quick. Without it a runner keeps nothing of the run.
   */
  readonly mayContinue?: boolean;
  /** The JSON Schema of the answer, one JSON value; the model is held to what the runner knows of it. Prose when it is missing. */
  readonly answerSchema?: Readonly<Record<string, unknown>>;
  /** Addresses (http and https) of pages that Google is to read for the answer. None when it is missing. */
  readonly urls?: readonly string[];
  /** Whose tools Gemini may call in the run, besides what `settings` allow. None when it is missing. */
  readonly toolProviders?: readonly ToolProvider[];
};

/** The parts of a request that decide which runner can carry it, before its message is written. */
export type RunNeeds = Pick<
  RunRequest,
  'history' | 'settings' | 'directory' | 'answerSchema' | 'urls' | 'toolProviders'
>;
