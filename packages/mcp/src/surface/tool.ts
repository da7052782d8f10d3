import type { AskAnswer, AskFailure, CallPurpose, JobReport, SearchReport, WorkAccount } from '@gemini-mcp/core';
import type { ContentBlock } from '../content/content-block.ts';
import type { JsonObject, ToolArguments, ToolInput } from '../input/tool-input.ts';
import type { Ask } from '../questions/question.ts';
import type { Scope } from './scope.ts';

/** What a tool may do, as clients are told. All four are stated, since a client assumes the worst of a missing one. */
export type ToolAnnotations = {
  /** Changes nothing. */
  readonly readOnlyHint: boolean;
  /** May destroy something. */
  readonly destructiveHint: boolean;
  /** A second identical call changes nothing more. */
  readonly idempotentHint: boolean;
  /** Reaches places that no setting names, such as pages of the web. Gemini itself is none: it is the one service that is asked. */
  readonly openWorldHint: boolean;
};

/** News of a running call: what it is doing, or the next piece of the text that it is producing. */
export type ToolProgress =
  | {
      readonly type: 'status';
      readonly message: string;
      /** Whether it delays the answer or changes who gives it, so that even a reader of nothing but the answer should know. */
      readonly isNotable?: boolean;
      /** Whether the answer starts over: the pieces of text before it are not part of it. */
      readonly startsOver?: boolean;
      /** The model that is asked from now on. */
      readonly model?: string;
    }
  | { readonly type: 'text'; readonly text: string };

/** What a call knows in addition to its arguments. */
export type ToolContext = {
  /** Aborted when the client cancels the call or the connection closes. Nothing is sent to the client from then on. */
  readonly signal: AbortSignal;
  /** Tells the client, where it asked to be told. Never throws, never blocks, may be called at any rate. */
  readonly progress: (progress: ToolProgress) => void;
  /**
   * Asks the user of the client, where the client and the transport can. Never rejects; ends when the call is cancelled. A job that goes
   * on after its call cannot ask.
   */
  readonly ask: Ask;
  /** The name by which the client introduced itself, if it did. A stranger's word: for logs, not for decisions. */
  readonly clientName: string | null;
  /** Whose the call is: sessions, answers, jobs and places in the queue belong to an owner. Decided by the server's operator. */
  readonly owner: string;
};

/** Why a call was not carried out, where that is no failure of Gemini. */
export type RefusalReason =
  | 'invalid-arguments'
  | 'not-allowed'
  | 'too-many-jobs'
  | 'unknown-job'
  | 'unknown-answer'
  | 'unknown-session'
  | 'unknown-run'
  | 'not-deleted'
  /** Said by another server, which the call was passed on to. */
  | 'other-server-error'
  | 'other-server-unavailable'
  | 'other-server-timeout'
  | 'internal-error'
  | 'cancelled';

/** What the text of an outcome says, as data. */
export type ToolDetail =
  /**
   * `report` is there when it was asked for: `answer` of the outcome is then the report. `json` is there when the answer is JSON by a
   * schema of the caller.
   */
  | {
      readonly type: 'answer';
      readonly answer: AskAnswer;
      /** How the answer came about, in words; empty if nothing is known. */
      readonly account: string;
      readonly report?: SearchReport;
      readonly json?: { readonly value: unknown };
      readonly conversation?: Conversation;
      /** Of a run with tools. */
      readonly work?: WorkAccount;
    }
  | {
      readonly type: 'failure';
      readonly failed: AskFailure;
      readonly purpose: CallPurpose;
      /** Of the conversation that is as it was before. */
      readonly sessionId?: string;
      /** Of a run with tools: what it did stays. */
      readonly work?: WorkAccount;
    }
  | { readonly type: 'job'; readonly job: JobReport<ToolOutcome> }
  | { readonly type: 'refused'; readonly reason: RefusalReason };

/** Where an answer belongs. */
export type Conversation = {
  readonly sessionId: string;
  /** Why the exchange could not be kept, in words for a user; null when it was. */
  readonly notKept: string | null;
};

/** What the client's model gets to read. */
export type ToolOutcome = {
  /**
   * What Gemini wrote and nothing else, control characters made visible: a block of its own before our text, so that nothing in it can
   * pass for ours. Missing where the result has none.
   */
  readonly answer?: string;
  /** Our words. Empty where `answer`, `blocks` or `structured` say everything. */
  readonly text: string;
  readonly isError: boolean;
  /** What comes after the text, such as images, from anywhere: it is checked, and a note takes the place of what cannot be shown. */
  readonly blocks?: readonly ContentBlock[];
  /**
   * By the tool's `output`, which it needs, 40,000 bytes of JSON at most. Claude Code, VS Code and Codex show their model this alone,
   * and neither text nor blocks: it has to say everything.
   */
  readonly structured?: JsonObject;
  /** For programs: most clients show it neither to their model nor to their user, so the text has to say all that these need. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** For servers that answer programs rather than models; never sent over MCP. Missing where the text is all there is. */
  readonly detail?: ToolDetail;
};

/** The scopes that a token needs for the calls of a tool. */
export type ToolScopes = {
  /** For every call. */
  readonly always: readonly Scope[];
  /** In addition, for a call that gives the argument. An argument that is missing, `false` or an empty list is not given. */
  readonly byArgument: Readonly<Record<string, readonly Scope[]>>;
};

/** One tool, without anything of the protocol. */
export type Tool<Input extends ToolInput = ToolInput> = {
  /** `verb_noun` in snake case, 35 characters at most: some clients cut longer names, others drop the tool. */
  readonly name: string;
  readonly title: string;
  /** Under 4,096 characters: Claude Code cuts there. */
  readonly description: string;
  /**
   * `tools/list` shows an object of zod as JSON Schema without patterns and lengths: rules that a model must know belong in the
   * descriptions too.
   */
  readonly input: Input;
  /** What `structured` of every outcome is that is no error. Think before you declare one: see `structured`. */
  readonly output?: ToolInput;
  /** Whether `structured` may be there without an `output`, and of any form: of tools that are not ours. */
  readonly structuresFreely?: boolean;
  /** Schemes besides http and https of addresses in `blocks`: those of resources that the surface has, such as `gemini`. */
  readonly uriSchemes?: readonly string[];
  readonly annotations: ToolAnnotations;
  /**
   * Arguments of an `input` of zod that calls may give and that tools/list does not show: those that a model can do without. None is
   * required.
   */
  readonly unlisted?: readonly string[];
  /** Whether tools/list leaves it out: a client that knows it from an earlier list is answered, and told why it is gone. */
  readonly isUnlisted?: boolean;
  /** A word by which an operator chooses it together with others; without one the tool is chosen by its name alone. */
  readonly group?: string;
  /** Of calls over HTTP; a call needs every scope when it is missing. */
  readonly scopes?: ToolScopes;
  /** Below `/api`, such as `gemini-query`. REST does not offer a tool without one. */
  readonly restPath?: string;
  /**
   * Answers a call whose arguments `input` has accepted. A failure is an outcome; an exception is a bug, of which the
   * client learns no more than that it happened. Written as a method, so that tools of different inputs fit into one list.
   */
  run(args: ToolArguments<Input>, context: ToolContext): Promise<ToolOutcome>;
};
