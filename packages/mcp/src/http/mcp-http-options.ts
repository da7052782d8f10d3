import type { Clock } from '@gemini-mcp/core';
import type { Introduction } from '../introduction.ts';
import type { McpLog } from '../mcp-log.ts';

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
