import type { Clock } from '@gemini-mcp/core';
import type { ClientRootUris } from './client-root-uris.ts';
import type { McpLog } from './mcp-log.ts';
import type { Surface } from './surface.ts';

/**
 * Everything a server needs. Building it is cheap: `loadSurface` is called when a client first lists or uses something of it;
 * once for the same roots of the client, unless it fails: then the request that needed it gets an error, and the next one calls
 * it again.
 */
export type McpServerOptions = {
  readonly loadSurface: (clientRoots: ClientRootUris) => Promise<Surface>;
  /** Whether the client is asked for its roots, where it offers any; it is not when this is missing. */
  readonly asksForRoots?: boolean;
  readonly clock: Clock;
  readonly log: McpLog;
  readonly version: string;
  /** Whose the calls of this connection are, by the name that the client gave itself; the same for the same client later on. */
  readonly ownerOf: (clientName: string | null) => string;
};
