import type { ServerTransport, ToolPinStore, UpstreamListStore } from '@gemini-mcp/core/internal';
import type { ConnectionDependencies } from './connection/connect.ts';
import type { ServerEntry } from './settings/read-server-entry.ts';
import type { UpstreamConfig } from './settings/read-upstream-config.ts';

export type UpstreamsOptions = ConnectionDependencies & {
  /** The current settings: the same object until something in them changes. Asked at each use; never rejects. */
  readonly settings: () => Promise<UpstreamConfig>;
  /**
   * Resolves how to reach a server, with every reference filled in. `owner` is null for a server that all owners share. Asked before each connection;
   * never rejects.
   */
  readonly reach: (
    server: { readonly entry: ServerEntry; readonly owner: string | null },
    signal: AbortSignal,
  ) => Promise<ServerReach>;
  /**
   * The directories, as `file:` URLs, that servers of the owner may take for the owner's; null if there are none. The function it returns never
   * rejects. Not asked for shared servers.
   */
  readonly roots: (owner: string) => (() => Promise<readonly string[]>) | null;
  /** What a user can do about a server, in words that follow a colon; the commands of `gemini-mcp-server` if missing. */
  readonly remedies?: ServerRemedies;
  readonly upstreamListStore: UpstreamListStore;
  readonly toolPinStore: ToolPinStore;
  /** How many programs of servers may run at a time, for all owners together; defaults to 100. */
  readonly maxProcesses?: number;
  /** Takes a line that begins with the name of a server. */
  readonly log: (line: string) => void;
};

export type ServerRemedies = {
  /** For a server that wants a login. */
  readonly login: (server: string) => string;
  /** For one with a tool that is withheld. */
  readonly approve: (server: string) => string;
};

/** How to reach a server, or a sentence for a user on why that is unknown. */
export type ServerReach =
  | {
      readonly isKnown: true;
      readonly transport: ServerTransport;
      /** Without a limit on how long a body may be silent: calls take minutes. */
      readonly fetch: typeof fetch;
      /** Texts to remove from every failure: a server may repeat its credentials. */
      readonly secrets?: readonly string[];
      /** Whether there is a login that the server has not refused yet. Never rejects. If missing, the server waits for `loggedIn`. */
      readonly hasNewLogin?: () => Promise<boolean>;
      /** Why the last login is of no use any more, for a user. Never rejects. */
      readonly whyRefused?: () => Promise<string | null>;
    }
  | { readonly isKnown: false; readonly problem: string };
