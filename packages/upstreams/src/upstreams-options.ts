import type { ServerTransport, ToolPinStore, UpstreamListStore } from '@gemini-mcp/core/internal';
import type { ConnectionDependencies } from './connection/connect.ts';
import type { ServerEntry } from './settings/read-server-entry.ts';
import type { UpstreamConfig } from './settings/read-upstream-config.ts';

export type UpstreamsOptions = ConnectionDependencies & {
  /** The current settings: the same object until they change. Called at each use; never rejects. */
  readonly settings: () => Promise<UpstreamConfig>;
  /**
   * Resolves how to reach a server, with every reference filled in. `owner` is null for a server that all owners share. Called before each connection;
   * never rejects.
   */
  readonly reach: (
    server: { readonly entry: ServerEntry; readonly owner: string | null },
    signal: AbortSignal,
  ) => Promise<ServerReach>;
  /**
   * The directories, as `file:` URLs, that servers may treat as the owner's; null without roots. The returned function never rejects. Not called for
   * shared servers.
   */
  readonly roots: (owner: string) => (() => Promise<readonly string[]>) | null;
  /** The user's remedies for a server, in words that follow a colon; defaults to the commands of `gemini-mcp-server`. */
  readonly remedies?: ServerRemedies;
  readonly upstreamListStore: UpstreamListStore;
  readonly toolPinStore: ToolPinStore;
  /** How many server programs may run at a time, for all owners together; defaults to 100. */
  readonly maxProcesses?: number;
  /** Logs a line that begins with a server's name. */
  readonly log: (line: string) => void;
};

export type ServerRemedies = {
  /** For a server that requires a login. */
  readonly login: (server: string) => string;
  /** For a server with a withheld tool. */
  readonly approve: (server: string) => string;
};

/** How to reach a server, or a sentence for the user on why that is unknown. */
export type ServerReach =
  | {
      readonly isKnown: true;
      readonly transport: ServerTransport;
      /** Must not limit how long a body may be silent: calls take minutes. */
      readonly fetch: typeof fetch;
      /** Texts to remove from every failure: a server may repeat its credentials. */
      readonly secrets?: readonly string[];
      /** Whether a login exists that the server has not refused yet. Never rejects. If missing, the server waits for `loggedIn`. */
      readonly hasNewLogin?: () => Promise<boolean>;
      /** Why the last login no longer works, for the user. Never rejects. */
      readonly whyRefused?: () => Promise<string | null>;
    }
  | { readonly isKnown: false; readonly problem: string };
