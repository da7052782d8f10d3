import type { Clock, Jobs, RecordStore } from '@gemini-mcp/core';
import type { Surface, SurfaceSource } from '../surface/surface.ts';
import type { ToolOutcome } from '../surface/tool.ts';
import type { McpLog } from './mcp-log.ts';

/** Everything a server needs. Creating it is cheap: a source is asked when a client first lists or uses a part of it. */
export type McpServerOptions = {
  /** The offer to the client, or its source if it can change or loads late. */
  readonly surface: Surface | SurfaceSource;
  /** Whether to ask the client for its roots, if it offers any; false if missing. */
  readonly asksForRoots?: boolean;
  readonly clock: Clock;
  readonly log: McpLog;
  readonly version: string;
  /** This project's own introduction if missing. */
  readonly introduction?: Introduction;
  /** Whether to announce tools alone, so that clients ask for nothing else; false if missing. */
  readonly onlyTools?: boolean;
  /** How long every client waits for a call, in milliseconds: 0 for as long as it takes. By the client's name if null or missing. */
  readonly callLimitMs?: number | null | undefined;
  /** The owner of this connection's calls, by the client's own name; the same for the same client later on. */
  readonly ownerOf: (clientName: string | null) => string;
  /** Remembers which questions of suspended calls are open, over restarts: in this process alone if missing. */
  readonly records?: () => Promise<RecordStore>;
  /** The jobs that the tools start. Clients that know the extension for tasks get them as tasks; if missing, every client gets handles as text. */
  readonly jobs?: (() => Promise<Jobs<ToolOutcome>>) | undefined;
};

/** How a server introduces itself to its clients. */
export type Introduction = {
  /** For programs. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** Text for the client's model about the whole server: what its tools are for, and which to use when. */
  readonly instructions: string;
};
