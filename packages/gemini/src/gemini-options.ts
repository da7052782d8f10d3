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

/** The options of `createGemini()`. Every option has a default. */
export type GeminiOptions = {
  /** The base of relative names, and a readable directory. Defaults to the program's start directory. */
  readonly workingDirectory?: string | undefined;
  /** Further readable directories, also for Gemini's tools. */
  readonly roots?: readonly string[] | undefined;
  /** Whether files that look like secrets are sent if named one by one. Defaults to false. */
  readonly allowSensitive?: boolean | undefined;
  /** The fallback chain for calls without a `model`. Defaults to the runner's own models. */
  readonly models?: ModelChain | undefined;
  /** For calls without a timeout. Defaults to 600,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * The backend of calls, as in the server's `GEMINI_MCP_RUNNER`. Defaults to `auto`: the Gemini API if it has a login and supports
   * the call, else the Gemini CLI. `api`: only the API. `warm`: only the CLI, in processes that stay running. `headless`: only the CLI,
   * in a new process for each call. Cannot be combined with `runner`.
   */
  readonly backend?: RunnerPreference | undefined;
  /** A Gemini API key for all calls. Defaults to a key or Vertex AI in `environment`, a key stored with `gemini-mcp-server login`, or the login of the Gemini CLI. */
  readonly apiKey?: string | undefined;
  /** Whether Google may log calls in a project that has logging on. If missing, each call with an API key asks Google to store nothing. */
  readonly allowsGoogleLogs?: boolean | undefined;
  /** The default owner of conversations and queue slots. Any string. */
  readonly owner?: string | undefined;
  /** Absolute; for conversations and the CLI's runs. Defaults to this platform's usual directory below the home. */
  readonly stateDirectory?: string | undefined;
  /** How long a conversation is kept after its last turn. Defaults to 30 days; null keeps it forever. */
  readonly retentionMs?: number | null | undefined;
  /** The most calls that run at once, and the most that wait. Default to 4 and 1,000. */
  readonly maxRunning?: number | undefined;
  readonly maxQueued?: number | undefined;
  /**
   * The environment for keys, addresses, proxies and the search for the CLI, which sees only the variables on an allow-list.
   * Defaults to `process.env`.
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Upstream MCP servers by name, in the settings format of clients. A call gives Gemini the tools of the servers it names in `servers`.
   * No server starts before that, and `close` ends all.
   */
  readonly mcpServers?: Readonly<Record<string, McpServer>> | undefined;
  /** Further settings for upstream servers, as `mcp` in a settings file. `variables`: the variables of `environment` that they may refer to as `$NAME`. */
  readonly mcp?: { readonly variables?: readonly string[] | undefined } | undefined;
  /** Replaces the Gemini API and the Gemini CLI. The caller owns it: `close` does not close it. */
  readonly runner?: GeminiRunner | undefined;
  /** Reads context instead of the file system. `workingDirectory` and `roots` then do not limit reading. */
  readonly resolver?: ContextResolver | undefined;
  /** Stores conversations instead of the state directory. */
  readonly sessions?: SessionStore | undefined;
  /** Works on projects instead of this machine's file system and sandbox. */
  readonly executor?: Executor | undefined;
  readonly clock?: Clock | undefined;
  /** A shared call queue instead of a queue of its own. */
  readonly queue?: CallQueue | undefined;
};

/** The options of every call. */
export type CallOptions = {
  /** Only this model. Defaults to the model chain. */
  readonly model?: string | undefined;
  /** Of the whole call: reading, waiting, retries, fallback. */
  readonly timeoutMs?: number | undefined;
  readonly owner?: string | undefined;
  /** Ends the call, which resolves to a `cancelled` failure. */
  readonly signal?: AbortSignal | undefined;
};

/** The context to send with a question. */
export type ContextOptions = {
  /**
   * File names or patterns. An entry with `*`, `?` or `{` is a pattern unless a file has exactly that name; any other entry is a
   * literal name, including brackets. `src/a.ts:10-40` selects lines. Patterns skip ignored files and files that look like secrets.
   */
  readonly files?: readonly string[] | undefined;
  /** Directories, read recursively except for ignored files. */
  readonly directories?: readonly string[] | undefined;
  /** The most files. Defaults to 2,000. `context.leftOut` lists the rest. */
  readonly maxFiles?: number | undefined;
  /** The most bytes of text. Defaults to 10,000,000. */
  readonly maxBytes?: number | undefined;
};

/** How Gemini is run for a call. */
export type RunOptions = {
  /** Replaces the default, which is `plainInstruction` for a call without a `directory`. */
  readonly systemPrompt?: string | undefined;
  /** A directory that Gemini reads with model tools. Must be below `workingDirectory` or `roots`. */
  readonly directory?: string | undefined;
};

/** Upstream MCP servers for a call. */
export type ToolSessionOptions = {
  /** Names of `mcpServers` whose tools Gemini may call. Defaults to an empty list. */
  readonly servers?: readonly string[] | undefined;
  /** Approves steps that need approval, such as each call of a server's tool. If missing, such steps are refused. */
  readonly approver?: Approver | undefined;
};

export type AskOptions = CallOptions &
  ContextOptions &
  ToolSessionOptions &
  RunOptions & {
    /**
     * URLs (http and https) of public web pages that Google reads for the answer, at most 20. Supported by the Gemini API, not by
     * the Gemini CLI. `pages` in the answer reports the result for each.
     */
    readonly urls?: readonly string[] | undefined;
  };

export type PreviewOptions = Omit<AskOptions, keyof ToolSessionOptions> & {
  /**
   * Whether to send everything to Google to count its tokens, without asking a model. Supported by the Gemini API, not by
   * the Gemini CLI. Defaults to false, which sends nothing.
   */
  readonly count?: boolean | undefined;
};

export type SearchOptions = CallOptions & {
  /** The most sources. */
  readonly limit?: number | undefined;
  /** Whether to also return a `report` for programs. Defaults to false. */
  readonly structured?: boolean | undefined;
};

export type WorkOptions = CallOptions &
  ContextOptions &
  ToolSessionOptions & {
    /** The project, relative to the working directory or absolute. Defaults to the working directory. */
    readonly directory?: string | undefined;
    /** What Gemini may do: read (`plan`), also change files (`edit`), also run commands in a sandbox (`full`). Defaults to `plan`. */
    readonly mode?: WorkMode | undefined;
    /** Whether commands have network access. Defaults to false. */
    readonly network?: boolean | undefined;
    /** Limits of the work. Default to 200 steps, 10,000,000 tokens read and 20,000,000 bytes written by Gemini. */
    readonly budget?: Partial<WorkBudget> | undefined;
    /** Receives each step as it is taken. */
    readonly onProgress?: ((progress: WorkProgress) => void) | undefined;
  };

export type UndoOptions = Pick<CallOptions, 'owner' | 'signal'> & {
  /** Paths relative to the project. Defaults to everything the run changed. */
  readonly paths?: readonly string[] | undefined;
};

/** A conversation. */
export type ChatOptions = RunOptions & {
  /** Continues the conversation with this id. If missing, begins a new one. */
  readonly id?: string | undefined;
  readonly model?: string | undefined;
  readonly owner?: string | undefined;
};
