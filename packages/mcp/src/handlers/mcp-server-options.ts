import type { Clock } from '@gemini-mcp/core';
import type { Surface, SurfaceSource } from '../surface/surface.ts';
import type { McpLog } from './mcp-log.ts';

/** Everything a server needs. Building it is cheap: a source is asked when a client first lists or uses something of it. */
export type McpServerOptions = {
  /** What the client is offered, or where that comes from when it can change or is to be loaded late. */
  readonly surface: Surface | SurfaceSource;
  /** Whether the client is asked for its roots, where it offers any; it is not when this is missing. */
  readonly asksForRoots?: boolean;
  readonly clock: Clock;
  readonly log: McpLog;
  readonly version: string;
  /** As the server of this project where it is missing. */
  readonly introduction?: Introduction;
  /** Whether it says that it offers tools and nothing else, so that clients ask for nothing else. It does not when this is missing. */
  readonly onlyTools?: boolean;
  /** Whose the calls of this connection are, by the name that the client gave itself; the same for the same client later on. */
  readonly ownerOf: (clientName: string | null) => string;
};

/** How a server introduces itself to its clients. */
export type Introduction = {
  /** For programs. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** What the client's model reads about the whole server: what its tools are for, and which to use when. */
  readonly instructions: string;
};
