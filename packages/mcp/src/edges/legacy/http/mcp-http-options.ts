import type { Clock } from '@gemini-mcp/core';
import type { McpLog } from '../../../handlers/mcp-log.ts';
import type { Introduction } from '../../../handlers/mcp-server-options.ts';
import type { Surface, SurfaceSource } from '../../../surface/surface.ts';

/** What the servers of all callers have in common. */
export type McpHttpOptions = {
  /** Of the program, as clients are told. */
  readonly version: string;
  /** As the server of this project where it is missing. */
  readonly introduction?: Introduction;
  /** Whether they say that they offer tools and nothing else. They do not when this is missing. */
  readonly onlyTools?: boolean;
  readonly clock: Clock;
  readonly log: McpLog;
};

/** How many sessions are held, and how long. */
export type SessionLimits = {
  readonly maxSessions: number;
  readonly idleMs: number;
};

/** Who sends one HTTP request, as the server's access has found out. */
export type McpCaller = {
  /** Whose the calls of the request are. The same for all callers of one `binding`. */
  readonly owner: string;
  /** What must be equal for a session to be found again: the principal, and what it may do. */
  readonly binding: string;
  /**
   * What it is offered. A session keeps the surface or the source with which it began, and tells its client when the source says
   * that a list has changed. Without sessions there is no way to tell.
   */
  readonly surface: Surface | SurfaceSource;
  /** Aborted when the HTTP request is closed, by whichever side: what still runs for it is cancelled. */
  readonly signal: AbortSignal;
};

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

/**
 * Streamable HTTP without sessions: each request is answered by a server of its own. `initialize` names its client with an id,
 * of which nothing is kept: it only lets a notification cancel a request of the same client that runs here at that moment.
 */
export type StatelessEndpoint = {
  /**
   * Answers a POST whose body has been parsed: a call of a tool as a stream of events, which begins at once, whatever else as
   * JSON. Resolves, with a refusal where need be; once `caller.signal` is aborted, what runs for the request is cancelled.
   */
  post(request: Request, body: unknown, caller: McpCaller): Promise<Response>;
  /** Resolves when every call that was running has come to its end, cancelled ones included. Never rejects. */
  callsEnded(): Promise<void>;
  /** Aborts what runs, telling those who wait, and refuses what comes. */
  close(): Promise<void>;
};
