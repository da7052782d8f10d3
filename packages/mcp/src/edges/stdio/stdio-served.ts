import type { Readable, Writable } from 'node:stream';
import type { McpServerOptions } from '../../handlers/mcp-server-options.ts';

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
  /** Called once, after the first message that is more than a probe: the client stays. */
  readonly onClient?: () => void;
};

/** How a served connection ended, and the calls that were still running. */
export type StdioServed = StdioEnd & {
  /** Resolves when the calls that the end has aborted are over: wait for it, as long as you can, before you exit. Never rejects. */
  readonly callsEnded: Promise<void>;
};
