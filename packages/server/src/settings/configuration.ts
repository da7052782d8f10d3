import type { PinnedPaths } from '@gemini-mcp/adapters-node/internal/startup';
import type { ModelChain, RunnerPreference } from '@gemini-mcp/core';
import type { LogLevel } from './log-level.ts';

/** The settings of a server, checked, each with what holds where nothing is set. */
export type Configuration = {
  /** What callers' relative paths are relative to; an allowed root, unless `noRootBecause` says why there is none. */
  readonly workingDirectory: string;
  /**
   * Why no directory of the server's may be read, in words that follow "because"; null where one may. Then there are neither
   * `roots` nor trusted directories.
   */
  readonly noRootBecause: string | null;
  /** Further directories that may be read. */
  readonly roots: readonly string[];
  /** Directories in which the CLI may run as in a project of the user's own: programs of theirs are started there. */
  readonly trustedDirectories: readonly string[];
  /** Where the directories above really lay when the settings were read: a link that is made or changed later counts for none. */
  readonly pinnedPaths: PinnedPaths;
  /** Whether files that look like secrets may be sent when a caller names them. */
  readonly allowSensitive: boolean;
  readonly modelChain: ModelChain;
  /** What GEMINI_MCP_CLI says: an absolute path, or the name of a program on PATH; null to look for it. */
  readonly cli: string | null;
  /** For gemini_query and gemini_job when the caller gives none. */
  readonly queryTimeoutMs: number;
  /** For geminiChat, chat and chat-reply. */
  readonly chatTimeoutMs: number;
  /** For googleSearch. */
  readonly searchTimeoutMs: number;
  /** The most that a caller may give. */
  readonly maxTimeoutMs: number;
  /** Calls to Gemini at one time. */
  readonly maxRunning: number;
  /** Calls that wait for one of those places. */
  readonly maxQueued: number;
  /** Whether calls are carried by CLI processes that are kept running. */
  readonly runner: RunnerPreference;
  /** Whether the first of those processes is started with the server; never when none is kept. */
  readonly prewarm: boolean;
  /** Processes that are kept running at one time, at most. */
  readonly warmProcesses: number;
  /** A process without a call for this long is ended. */
  readonly warmIdleMs: number;
  /** A process that holds more memory is replaced. */
  readonly warmMaxBytes: number;
  /** Whether answers are shown with the control characters that are in them. */
  readonly keepsControls: boolean;
  /** Names of the tools to offer; null for all. */
  readonly tools: readonly string[] | null;
  /** Whether whatever could change something is left out. */
  readonly readOnly: boolean;
  /** Whether callers may let Gemini act unasked; never when the server is read-only. */
  readonly allowYolo: boolean;
  /** How long a conversation is kept after its last turn: 0 keeps it in memory only, infinity for ever. */
  readonly sessionRetentionDays: number;
  /** Private directory for what has to outlive a call. */
  readonly stateDirectory: string;
  /** The user's own `.gemini` directory, where a login of the Gemini CLI lies. */
  readonly userDirectory: string;
  readonly logLevel: LogLevel;
};

/** Something that was set and does nothing. */
export type ConfigurationWarning = {
  readonly variable: string;
  readonly message: string;
};
