import type { Clock, RecordStore } from '@gemini-mcp/core';
import type { McpLog } from '../handlers/mcp-log.ts';
import type { Introduction, McpServerOptions } from '../handlers/mcp-server-options.ts';
import type { Surface, SurfaceSource } from '../surface/surface.ts';

/** What the servers of all callers have in common. */
export type McpHttpOptions = {
  /** The program's version, as clients see it. */
  readonly version: string;
  /** This project's own introduction if missing. */
  readonly introduction?: Introduction;
  /** Whether the servers announce tools alone; false if missing. */
  readonly onlyTools?: boolean;
  /** As in `McpServerOptions`. */
  readonly callLimitMs?: McpServerOptions['callLimitMs'];
  readonly clock: Clock;
  readonly log: McpLog;
  /** Remembers which questions of suspended calls are open, over restarts: in this process alone if missing. */
  readonly records?: () => Promise<RecordStore>;
  /** As in `McpServerOptions`. */
  readonly jobs?: McpServerOptions['jobs'];
};

/** How many sessions are held, and how long. */
export type SessionLimits = {
  readonly maxSessions: number;
  readonly idleMs: number;
};

/** Who sends one HTTP request, as the embedding server has authenticated it. */
export type McpCaller = {
  /** The owner of the request's calls. The same for all callers of one `binding`. */
  readonly owner: string;
  /** Must be equal for a caller to find a session again: the principal and its permissions. */
  readonly binding: string;
  /**
   * The surface for this caller. A session keeps the surface or source with which it began, and sends its client a notice when the
   * source reports a changed list. Without sessions the endpoint cannot send notices.
   */
  readonly surface: Surface | SurfaceSource;
  /** Aborted when either side closes the HTTP request: its running calls are cancelled. */
  readonly signal: AbortSignal;
};

export type SessionEndpointOptions = McpHttpOptions & SessionLimits;

/**
 * Streamable HTTP with sessions, which only callers of the same `binding` find again. A session ends when its client deletes it, or
 * when none of its calls or streams has been active for `idleMs`. When `maxSessions` are held, the longest idle session of the binding
 * that holds most makes room for another. No timer runs here: the next use of the endpoint drops expired sessions.
 */
export type SessionEndpoint = {
  /** Answers a POST whose body has been parsed. Once `caller.signal` is aborted, the request's running calls are cancelled. */
  post(request: Request, body: unknown, caller: McpCaller): Promise<Response>;
  /** Opens the stream for unsolicited messages; it counts as open until `caller.signal` is aborted. */
  get(request: Request, caller: McpCaller): Promise<Response>;
  /** Ends a session. */
  delete(request: Request, caller: McpCaller): Promise<Response>;
  readonly load: { readonly sessions: number };
  /** Resolves when every running call has ended, including cancelled ones. Never rejects. */
  callsEnded(): Promise<void>;
  /** Ends all sessions with an error to the waiting clients, and refuses later requests. */
  close(): Promise<void>;
};

/**
 * Streamable HTTP without sessions: a new server answers each request. `initialize` gives its client an id, which is not stored: it
 * only lets a notification cancel a running request of the same client in this process.
 */
export type StatelessEndpoint = {
  /**
   * Answers a POST whose body has been parsed: a tool call as a stream of events, which begins at once, anything else as JSON. A
   * refusal resolves too. Once `caller.signal` is aborted, the request's running calls are cancelled.
   */
  post(request: Request, body: unknown, caller: McpCaller): Promise<Response>;
  /** Resolves when every running call has ended, including cancelled ones. Never rejects. */
  callsEnded(): Promise<void>;
  /** Aborts the running calls with an error to the waiting clients, and refuses later requests. */
  close(): Promise<void>;
};
