import type { ToolEvent } from './gemini-runner/run-event.ts';
import type { ToolProvider } from './tool-provider.ts';

/** The tools that a run offers to a program that speaks MCP. */
export type ToolSessionRequest = {
  readonly sources: readonly ToolProvider[];
  /** Of the run, in milliseconds since the epoch of the endpoint's clock. */
  readonly deadlineAtMs: number;
  /** Called when each tool call begins and when it has ended, never once the run is over. Must not throw. */
  readonly onStep: (step: ToolEvent) => void;
};

/** The tools of one run, at an address of their own. */
export type ToolSession = {
  /** `http://127.0.0.1:<port>/<path>`: Streamable HTTP, without sessions. */
  readonly url: string;
  /** Hexadecimal digits. Only requests with `Authorization: Bearer <token>` may call the tools. */
  readonly token: string;
  /** Resolves when the program has read the tool list; never if it does not. */
  readonly listed: Promise<void>;
  /** Number of calls that have begun so far. */
  readonly calls: number;
  /** Equal for tool lists that look the same to a program, and only for those. Reveals nothing of them. */
  readonly toolsDigest: string;
  /** The number of the program's next request, as far as its requests have shown. */
  readonly nextNumber: number;
  /** Continues from an earlier run: the program knows the tools and numbers its requests from here. Call it before the first request. */
  goOn(nextNumber: number): void;
  /** Ends running calls and closes the address for good. Never rejects. */
  close(): Promise<void>;
};

/**
 * Offers the tools of runs to programs on this machine. Implementations must:
 *
 * - Use one unguessable address and token for each run. They refuse a request without the token, with another run's token, from a browser page, or
 *   under a host name other than loopback, and after the end any request: on every path, for good.
 * - Pass each call to its provider once and return the whole result; if a call comes twice with one id, the second is refused. Calls of tools that may
 *   change something run one at a time, in the program's numbering.
 * - End everything with the run: after `close`, an abort or the deadline no call begins, and late results are discarded.
 * - Support successive runs of one long-lived program: with the same tools it need not reconnect, and its next call need not wait for numbers that it
 *   used in an earlier run.
 * - Drop an argument `wait_for_previous` that the Gemini CLI added.
 */
export interface LoopbackToolServer {
  /** Rejects if aborted, or if the system has no free port. A later abort closes the address, like `close`. */
  open(request: ToolSessionRequest, signal: AbortSignal): Promise<ToolSession>;
}
