import type { KeptLists, KeptPins, ServerSampling } from '@gemini-mcp/core/internal';
import type { ConnectionMeans } from '../connection/open-connection.ts';
import type { ServerReach } from '../connection/server-reach.ts';
import type { HubSettings } from '../settings/read-hub-settings.ts';
import type { ServerEntry } from '../settings/server-entry.ts';

export type HubOptions = Omit<ConnectionMeans, 'fetch'> & {
  /** The settings as they are now: the same object for as long as nothing in them has changed. Asked at each use; never rejects. */
  readonly settings: () => Promise<HubSettings>;
  /**
   * How a server is reached, with all references put in; `owner` is null for a server that all owners share. Asked before each connection;
   * never rejects.
   */
  readonly reach: (
    server: { readonly entry: ServerEntry; readonly owner: string | null },
    signal: AbortSignal,
  ) => Promise<ServerReach>;
  /**
   * What tells the addresses of directories (`file:`) that servers may take for those of the owner, and never rejects; null for an owner who has
   * none. It is not asked for a server that all owners share.
   */
  readonly roots: (owner: string) => (() => Promise<readonly string[]>) | null;
  /** Answers questions of servers to a model; none are answered when it is missing. */
  readonly sampling?: ServerSampling | undefined;
  readonly keptLists: KeptLists;
  readonly keptPins: KeptPins;
  /** How many programs of servers may run at a time, of all owners; 100 when it is missing. */
  readonly maxProcesses?: number;
  /** Takes a line, with the name of a server in front. */
  readonly log: (line: string) => void;
};
