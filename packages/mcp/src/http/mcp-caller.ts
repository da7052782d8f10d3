import type { Surface } from '../surface.ts';

/** Who sends one HTTP request, as whoever serves has found out. */
export type McpCaller = {
  /** Whose the calls of the request are. The same for all callers of one `binding`. */
  readonly owner: string;
  /** What must be equal for a session to be found again: the principal, and what it may do. */
  readonly binding: string;
  /** What it is offered. A session keeps the one that it began with. */
  readonly surface: Surface;
  /** Aborted when the HTTP request is closed, by whichever side: what still runs for it is cancelled. */
  readonly signal: AbortSignal;
};
