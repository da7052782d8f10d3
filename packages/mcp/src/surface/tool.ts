import type {
  AskAnswer,
  AskFailure,
  CallOrigin,
  CallPurpose,
  JobReport,
  SearchReport,
  TraceContext,
  WorkAccount,
} from '@gemini-mcp/core';
import type { ContentBlock } from '../content/content-block.ts';
import type { JsonObject, ToolArguments, ToolInput } from '../input/tool-input.ts';
import type { Ask } from '../questions/question.ts';
import type { Scope } from './scope.ts';

/** The tool annotations that clients get. All four are stated, because a client assumes the worst of a missing one. */
export type ToolAnnotations = {
  /** Changes nothing. */
  readonly readOnlyHint: boolean;
  /** May destroy something. */
  readonly destructiveHint: boolean;
  /** A second identical call changes nothing more. */
  readonly idempotentHint: boolean;
  /** Sends what it gets to Google or to another service. */
  readonly openWorldHint: boolean;
};

/** Progress of a running call: its current step, or the next piece of the text that it produces. */
export type ToolProgress =
  | {
      readonly type: 'status';
      readonly message: string;
      /** Whether this delays the answer or changes the model that gives it, so that a caller who reads only the answer should know. */
      readonly isNotable?: boolean;
      /** Whether the answer starts over and discards the earlier pieces of text. */
      readonly startsOver?: boolean;
      /** The model asked from now on. */
      readonly model?: string;
    }
  | { readonly type: 'text'; readonly text: string };

/** The context of a call besides its arguments. */
export type ToolContext = {
  /**
   * Aborted when the client cancels the call or the connection closes, with a `ClientTimedOut` as its reason if the client only ran out of time. The
   * client gets nothing from then on.
   */
  readonly signal: AbortSignal;
  /** Reports progress to the client if it asked for it. Never throws, never blocks, may be called at any rate. */
  readonly progress: (progress: ToolProgress) => void;
  /**
   * Asks the user through the client, if the client and the transport support it. Never rejects; ends when the call is cancelled. A
   * job that outlives its call cannot ask.
   */
  readonly ask: Ask;
  /** The client's own name from `initialize`, if any. Unverified: for logs and words, and never for what a call may do. */
  readonly clientName: string | null;
  /** The owner of the call. Sessions, answers, jobs and queue slots belong to an owner. The server's operator assigns owners. */
  readonly owner: string;
  /** The trace that the call belongs to, if it states a valid one. For requests to others, never for decisions. */
  readonly trace?: TraceContext | undefined;
  /** This tool and the client, for the calls to Gemini that the tool makes. */
  readonly origin?: CallOrigin | undefined;
  /** How long the client waits for this call; missing if it waits for as long as the call takes. */
  readonly patience?: Patience | undefined;
};

/** The time that a client gives a call. */
export type Patience = {
  /** When the call arrived, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** Aborted shortly before the client gives up: the call returns its text so far, and its work goes on as a job. */
  readonly nearsEnd: AbortSignal;
  /** Whether the client has a known limit. Otherwise `nearsEnd` is never aborted. */
  readonly isLimited: boolean;
};

/** The abort reason of a call that its client gave up because of the client's own time limit, and not because its user did not want it. */
export class ClientTimedOut extends Error {
  override readonly name = 'ClientTimedOut';
}

/** Why a call was not carried out, if Gemini is not the reason. */
export type RefusalReason =
  | 'invalid-arguments'
  | 'not-allowed'
  | 'too-many-jobs'
  | 'unknown-job'
  | 'unknown-answer'
  | 'unknown-session'
  | 'unknown-run'
  | 'not-deleted'
  /** An error from the other server that the call was passed on to. */
  | 'other-server-error'
  | 'other-server-unavailable'
  | 'other-server-timeout'
  | 'internal-error'
  | 'cancelled';

/** The content of an outcome's text, as data. */
export type ToolDetail =
  /**
   * `report` is set if the caller asked for it: `answer` of the outcome is then the report. `json` is set if the answer is JSON by the
   * caller's schema.
   */
  | {
      readonly type: 'answer';
      readonly answer: AskAnswer;
      /** How the answer was produced, as text; empty if nothing is known. */
      readonly account: string;
      readonly report?: SearchReport;
      readonly json?: { readonly value: unknown };
      readonly conversation?: Conversation;
      /** Set for a run with tools. */
      readonly work?: WorkAccount;
    }
  | {
      readonly type: 'failure';
      readonly failed: AskFailure;
      readonly purpose: CallPurpose;
      /** The conversation, unchanged by the failure. */
      readonly sessionId?: string;
      /** What a run with tools did before it failed; it is not undone. */
      readonly work?: WorkAccount;
    }
  | {
      readonly type: 'job';
      readonly job: JobReport<ToolOutcome>;
      /** Whether the call itself goes on as this job; false if missing, for a call that asks about a job. */
      readonly goesOn?: boolean;
    }
  | { readonly type: 'refused'; readonly reason: RefusalReason };

/** The conversation of an answer. */
export type Conversation = {
  readonly sessionId: string;
  /** Why the exchange could not be saved, for a user; null if it was. */
  readonly notKept: string | null;
};

/** What the client's model reads. */
export type ToolOutcome = {
  /**
   * Gemini's text and nothing else, with control characters made visible: a separate block before our text, so that none of it can
   * pass for ours. Missing if the result contains no text of Gemini's.
   */
  readonly answer?: string;
  /** One line of our own before everything else, for clients that show the beginning of a result only. */
  readonly note?: string;
  /** Our own text. Empty if `answer`, `blocks` or `structured` say everything. */
  readonly text: string;
  readonly isError: boolean;
  /** Blocks after the text, such as images, from any source: they are checked, and a note replaces each one that cannot be shown. */
  readonly blocks?: readonly ContentBlock[];
  /**
   * Content by the tool's `output`, which is required for it; at most 40,000 bytes of JSON. Claude Code, VS Code and Codex show their
   * model only this, without text and blocks, so it has to say everything.
   */
  readonly structured?: JsonObject;
  /** For programs: most clients show it neither to their model nor to their user, so the text has to say everything that both need. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** For servers that answer programs instead of models; never sent over MCP. Missing if the text says everything. */
  readonly detail?: ToolDetail;
};

/** The scopes that a token needs to call a tool. */
export type ToolScopes = {
  /** Needed for every call. */
  readonly always: readonly Scope[];
  /** Needed in addition if a call gives the argument. A missing argument, `false` and an empty list do not count as given. */
  readonly byArgument: Readonly<Record<string, readonly Scope[]>>;
};

/** One tool, independent of the protocol. */
export type Tool<Input extends ToolInput = ToolInput> = {
  /** `verb_noun` in snake case, 35 characters at most: some clients cut longer names, others drop the tool. */
  readonly name: string;
  readonly title: string;
  /** Under 4,096 characters: Claude Code cuts there. */
  readonly description: string;
  /**
   * `tools/list` shows a zod object as JSON Schema without patterns, limits and defaults, so the descriptions must state those that a
   * model has to know.
   */
  readonly input: Input;
  /** The schema of `structured` in every outcome without an error. Read the note on `structured` before you declare one. */
  readonly output?: ToolInput;
  /** Whether `structured` may appear without an `output`, in any form: for tools of other servers. */
  readonly structuresFreely?: boolean;
  /** URI schemes besides http and https in `blocks`: those of the surface's resources, such as `gemini`. */
  readonly uriSchemes?: readonly string[];
  readonly annotations: ToolAnnotations;
  /**
   * Arguments of a zod `input` that calls may give and tools/list hides: a model can do without them. All of them are
   * optional.
   */
  readonly unlisted?: readonly string[];
  /** Further words by which clients that load tools on demand find the tool, such as `image screenshot`. */
  readonly searchHint?: string;
  /** Characters of a result that a client should show its model, if it would put fewer aside. */
  readonly maxResultCharacters?: number;
  /** Whether such clients should load the tool at once. False if missing. */
  readonly isLoadedAtOnce?: boolean;
  /**
   * Arguments of any object that tools/list shows as text: strict modes of client libraries cannot convert an object without properties.
   * Calls may give the object or its JSON.
   */
  readonly listedAsText?: readonly string[];
  /** Names by which models call the tool, besides the listed one. Case, `-` and `_` do not matter. */
  readonly otherNames?: readonly string[];
  /** Whether the tool keeps records for its user, so that a server in read-only mode leaves it out; `readOnlyHint` is about the user's things. */
  readonly keepsRecords?: boolean;
  /** Whether tools/list leaves the tool out. A client that knows it from an earlier list gets an answer that explains why it is gone. */
  readonly isUnlisted?: boolean;
  /** A group name by which an operator selects several tools; without one the tool is selected by its own name only. */
  readonly group?: string;
  /** For calls over HTTP; a call needs every scope if missing. */
  readonly scopes?: ToolScopes;
  /** Path below `/api`, such as `gemini-query`. REST does not offer a tool without one. */
  readonly restPath?: string;
  /** Arguments that a reader of the OpenAPI document can send as they are. */
  readonly example?: JsonObject;
  /**
   * Carries out a call whose arguments `input` has accepted. Report a failure as an outcome; an exception is a bug, and the client
   * learns only that it happened. A method, not a property, so that tools of different inputs fit into one list.
   */
  run(args: ToolArguments<Input>, context: ToolContext): Promise<ToolOutcome>;
};
