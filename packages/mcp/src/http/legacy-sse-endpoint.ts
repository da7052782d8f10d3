import type { McpCaller } from './mcp-caller.ts';
import type { McpHttpOptions, SessionLimits } from './mcp-http-options.ts';

export type LegacySseEndpointOptions = McpHttpOptions & SessionLimits;

/**
 * HTTP with SSE, for clients of the revision 2024-11-05: a GET opens a stream, whose first event says where to send messages,
 * and all answers come on it. A session lives as long as its stream, and takes messages of callers of the same `binding` alone.
 * When `maxSessions` are open, one on which nothing was asked for `idleMs` makes room for another.
 */
export type LegacySseEndpoint = {
  /** Opens a stream, which lasts until its reader cancels it or `caller.signal` is aborted: both cancel what runs. */
  get(request: Request, caller: McpCaller): Promise<Response>;
  /** Takes a message, parsed already, for the session that the query names as `sessionId`; its own closing cancels nothing. */
  post(request: Request, body: unknown, caller: McpCaller): Promise<Response>;
  readonly load: { readonly sessions: number };
  /** Resolves when every call that was running has come to its end, cancelled ones included. Never rejects. */
  callsEnded(): Promise<void>;
  /** Ends all sessions, telling those who wait, and refuses what comes. */
  close(): Promise<void>;
};
