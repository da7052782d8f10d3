import type { Readable, Writable } from 'node:stream';
import type { McpServerOptions } from '../../handlers/mcp-server-options.ts';
import type { JsonObject } from '../../input/tool-input.ts';

/** Why a connection over stdio ended. */
export type StdioEnd = {
  readonly reason: 'end-of-input' | 'input-failed' | 'output-closed' | 'line-too-long' | 'closed';
  /** The stream's error, if any. */
  readonly cause: Error | null;
};

export type StdioTransportOptions = {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** How long answers to requests other than tool calls may still come after the end of input; a second unless given. */
  readonly lastAnswersMs?: number;
};

export type ServeStdioOptions = StdioTransportOptions & {
  readonly server: McpServerOptions;
  /** Called once, when a client that stays is about to need more than the first answers: never for a probe alone. */
  readonly onClient?: () => void;
  /** The tools as every client of this server gets them listed, if they are known before the surface is loaded, and never change; else null. */
  readonly toolsAtStart?: (() => readonly JsonObject[] | null) | undefined;
};

/** How a served connection ended, and the calls that were still running. */
export type StdioServed = StdioEnd & {
  /** Resolves when the calls that the end has aborted are over: wait for it, as long as you can, before you exit. Never rejects. */
  readonly callsEnded: Promise<void>;
};
