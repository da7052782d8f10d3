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
