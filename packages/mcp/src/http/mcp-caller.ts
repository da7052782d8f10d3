import type { Surface } from '../surface.ts';
import type { SurfaceSource } from '../surface-source.ts';

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
