import type {
  Approver,
  CallQueue,
  Clock,
  ContextResolver,
  Executor,
  GeminiRunner,
  ModelChain,
  RunnerPreference,
  SessionStore,
  WorkBudget,
  WorkMode,
  WorkProgress,
} from '@gemini-mcp/core';
import type { McpServer } from './mcp-server.ts';

/** What differs from the defaults; `createGemini()` has a default for everything. */
export type GeminiOptions = {
  /** Where relative names begin, and a directory that may be read. The directory in which the program was started when it is missing. */
  readonly workingDirectory?: string | undefined;
  /** Further directories that may be read, or shown to Gemini's tools. */
  readonly roots?: readonly string[] | undefined;
  /** Whether files that look like secrets are sent where they are named one by one; false when it is missing. */
  readonly allowSensitive?: boolean | undefined;
  /** Models that are tried in turn where a call names none; those that suit the runner when it is missing. */
  readonly models?: ModelChain | undefined;
  /** For calls that give none; 600,000 when it is missing. */
  readonly timeoutMs?: number | undefined;
  /**
   * By which way calls go, as the server's `GEMINI_MCP_RUNNER` says it; `auto` if missing. `auto`: the Gemini API if there is a login for
   * it and it can carry the call, else the Gemini CLI. `api`: the API alone. `warm`: the CLI alone, in processes that are kept running.
   * `headless`: the CLI alone, in a process for each call. Not together with `runner`.
   */
  readonly way?: RunnerPreference | undefined;
  /** A key of the Gemini API for all calls; a key or Vertex AI in `environment`, or the login of the Gemini CLI, if missing. */
  readonly apiKey?: string | undefined;
  /** Whether Google may log calls in a project that has logging on. If missing, each call with an API key asks Google to store nothing. */
  readonly allowsGoogleLogs?: boolean | undefined;
  /** Whose the conversations and the places in the queue are for calls that do not say. Any string. */
  readonly owner?: string | undefined;
  /** Absolute; for conversations and for the CLI's runs. The usual place of this platform, below the home, when it is missing. */
  readonly stateDirectory?: string | undefined;
  /** How long a conversation is kept after its last turn; 30 days when it is missing, null for ever. */
  readonly retentionMs?: number | null | undefined;
  /** Calls that run at one time, and calls that wait for their turn; 4 and 1,000 when they are missing. */
  readonly maxRunning?: number | undefined;
  readonly maxQueued?: number | undefined;
  /**
   * Where keys, addresses and proxies are looked for, and what the CLI is found with and may see of, as an allow-list says;
   * `process.env` if missing.
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Other MCP servers by name, as clients write them in their settings. A call lends Gemini the tools of those that it names in `servers`. Nothing
   * is started before, and `close` ends all.
   */
  readonly mcpServers?: Readonly<Record<string, McpServer>> | undefined;
  /** Further settings for them, as `mcp` of a settings file. `variables`: the variables of `environment` that they may refer to as `$NAME`. */
  readonly mcp?: { readonly variables?: readonly string[] | undefined } | undefined;
  /** Carries the calls in place of the Gemini API and the Gemini CLI. It is the caller's: `close` leaves it as it is. */
  readonly runner?: GeminiRunner | undefined;
  /** Reads context in place of the file system. Then `workingDirectory` and `roots` say nothing of what may be read. */
  readonly resolver?: ContextResolver | undefined;
  /** Keeps conversations in place of the state directory. */
  readonly sessions?: SessionStore | undefined;
  /** Works on projects in place of the file system and the sandbox of this machine. */
  readonly executor?: Executor | undefined;
  readonly clock?: Clock | undefined;
  /** Where calls wait for each other, in place of a queue of its own. */
  readonly queue?: CallQueue | undefined;
};

/** What every call may say. */
export type CallOptions = {
  /** This model and no other; the chain of models when it is missing. */
  readonly model?: string | undefined;
  /** Of the whole call: reading, waiting, retries, fallback. */
  readonly timeoutMs?: number | undefined;
  readonly owner?: string | undefined;
  /** Ends the call, which resolves to a `cancelled` failure. */
  readonly signal?: AbortSignal | undefined;
};

/** What is sent with a question. */
export type ContextOptions = {
  /**
   * Names of files, or patterns. An entry with `*`, `?` or `{` is a pattern, unless there is a file of that very name; any other is
   * a name, with brackets and all. `src/a.ts:10-40` names lines. A pattern passes over what ignore files exclude, and over files that look like secrets.
   */
  readonly files?: readonly string[] | undefined;
  /** Read to any depth, but for what ignore files exclude. */
  readonly directories?: readonly string[] | undefined;
  /** At most so many files; 2,000 when it is missing. The rest is told in `context.leftOut`. */
  readonly maxFiles?: number | undefined;
  /** At most so many bytes of text; 10,000,000 when it is missing. */
  readonly maxBytes?: number | undefined;
};

/** How Gemini is run for a call. */
export type RunOptions = {
  /** In place of the usual one, which `plainInstruction` is for a call without a `directory`. */
  readonly systemPrompt?: string | undefined;
  /** A directory that Gemini looks into with tools that it is lent. Below `workingDirectory` or `roots`. */
  readonly directory?: string | undefined;
};

/** Other MCP servers for a call. */
export type ToolSessionOptions = {
  /** Names of `mcpServers` whose tools Gemini may call. None if missing. */
  readonly servers?: readonly string[] | undefined;
  /** Who consents to steps that need consent, as each call of a server's tool does. If missing, such steps are refused. */
  readonly approver?: Approver | undefined;
};

export type AskOptions = CallOptions &
  ContextOptions &
  ToolSessionOptions &
  RunOptions & {
    /**
     * Addresses (http and https) of pages of the public web that Google reads for the answer, 20 at most. The Gemini API
     * can, the Gemini CLI cannot. `pages` of the answer says what became of each.
     */
    readonly urls?: readonly string[] | undefined;
  };

export type PreviewOptions = Omit<AskOptions, keyof ToolSessionOptions> & {
  /**
   * Whether everything is sent to Google to count its tokens, without asking a model. The Gemini API can,
   * the Gemini CLI cannot. Nothing is sent if missing.
   */
  readonly count?: boolean | undefined;
};

export type SearchOptions = CallOptions & {
  /** At most so many sources. */
  readonly limit?: number | undefined;
  /** Whether to return a `report` for programs as well; false when it is missing. */
  readonly structured?: boolean | undefined;
};

export type WorkOptions = CallOptions &
  ContextOptions &
  ToolSessionOptions & {
    /** The project, relative to the working directory or absolute; the working directory if missing. */
    readonly directory?: string | undefined;
    /** What Gemini may do: read (`plan`), change files as well (`edit`), run commands in a sandbox as well (`full`); `plan` if missing. */
    readonly mode?: WorkMode | undefined;
    /** Whether commands reach the network; false if missing. */
    readonly network?: boolean | undefined;
    /** The most that the work may use; 200 steps, 10,000,000 tokens that Gemini reads and 20,000,000 bytes that it writes if missing. */
    readonly budget?: Partial<WorkBudget> | undefined;
    /** Receives each step as it is taken. */
    readonly onProgress?: ((progress: WorkProgress) => void) | undefined;
  };

export type UndoOptions = Pick<CallOptions, 'owner' | 'signal'> & {
  /** Relative to the project; all that the run changed if missing. */
  readonly paths?: readonly string[] | undefined;
};

/** A conversation. */
export type ChatOptions = RunOptions & {
  /** Goes on with the conversation that has this id; a new one begins when it is missing. */
  readonly id?: string | undefined;
  readonly model?: string | undefined;
  readonly owner?: string | undefined;
};
