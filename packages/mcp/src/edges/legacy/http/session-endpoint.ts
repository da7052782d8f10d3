import { BoundSessions } from './bound-sessions.ts';
import type { McpCaller, McpHttpOptions, SessionLimits } from './mcp-http-options.ts';

export type SessionEndpointOptions = McpHttpOptions & SessionLimits;

/**
 * Streamable HTTP with sessions, each of which is found again by callers of the same `binding` alone. A session ends when its
 * client deletes it, or when nothing of it has run nor been open for `idleMs`; and when `maxSessions` are held, the longest idle
 * one of the binding that holds most makes room for another. Nothing here waits on a timer: what is over is dropped the next
 * time anybody uses the endpoint.
 */
export type SessionEndpoint = {
  /** Answers a POST whose body has been parsed. Once `caller.signal` is aborted, what runs for the request is cancelled. */
  post(request: Request, body: unknown, caller: McpCaller): Promise<Response>;
  /** Opens the stream of what the server says unasked; it counts as open until `caller.signal` is aborted. */
  get(request: Request, caller: McpCaller): Promise<Response>;
  /** Ends a session. */
  delete(request: Request, caller: McpCaller): Promise<Response>;
  readonly load: { readonly sessions: number };
  /** Resolves when every call that was running has come to its end, cancelled ones included. Never rejects. */
  callsEnded(): Promise<void>;
  /** Ends all sessions, telling those who wait, and refuses what comes. */
  close(): Promise<void>;
};

/** Makes the endpoint. `close()` it before the program ends. */
export function createSessionEndpoint(options: SessionEndpointOptions): SessionEndpoint {
  return new BoundSessions(options);
}
