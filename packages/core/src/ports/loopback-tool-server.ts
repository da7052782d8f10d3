import type { ToolEvent } from './gemini-runner/run-event.ts';
import type { ToolProvider } from './tool-provider.ts';

/** What a run lends to a program that speaks MCP. */
export type ToolSessionRequest = {
  readonly sources: readonly ToolProvider[];
  /** Of the run, in milliseconds since the epoch of the endpoint's clock. */
  readonly deadlineAtMs: number;
  /** Told of each call as it begins, and when it has ended; of nothing once the run is over. Must not throw. */
  readonly onStep: (step: ToolEvent) => void;
};

/** The tools of one run, at an address of their own. */
export type ToolSession = {
  /** `http://127.0.0.1:<port>/<path>`: Streamable HTTP, without sessions. */
  readonly url: string;
  /** Hexadecimal digits. Who sends it in `Authorization: Bearer <token>` may call the tools, and no one else. */
  readonly token: string;
  /** Resolves when the list of the tools has been read; never where it is not. */
  readonly listed: Promise<void>;
  /** How many calls have begun so far. */
  readonly calls: number;
  /** The same for lists of tools that a program is told of alike, and for no others. Reveals nothing of them. */
  readonly toolsDigest: string;
  /** The number that the program will give to its next request, as far as its requests have told so far. */
  readonly nextNumber: number;
  /** The program knows the tools from an earlier run, and goes on counting its requests from this number. To be called before the first of them. */
  goOn(nextNumber: number): void;
  /** Ends the calls that run, and closes the address for ever. Never rejects. */
  close(): Promise<void>;
};

/**
 * Lends the tools of runs to programs on this machine. An implementer owes:
 *
 * - One address and one token a run, which cannot be guessed. A request without the token, with that of another run, from a page of a browser
 *   or under another name than that of loopback is refused, and so is any after the end: on each path, and for ever.
 * - Each call to its source once, and the result back whole; a call that comes twice with one id is refused the second time. Calls of tools that
 *   may change something one at a time, in the order in which the program numbered them.
 * - The end of what runs with the run: after `close`, an abort or the deadline no call begins, and results that come later are thrown away.
 * - Runs one after the other to a program that goes on: it need not begin again where the tools are the same, and its next call need not wait for
 *   numbers that it has used in an earlier run.
 * - An argument `wait_for_previous` that the Gemini CLI has added is left out.
 */
export interface LoopbackToolServer {
  /** Rejects when it is aborted, and where the system has no port to give. An abort afterwards closes the address, as `close` does. */
  open(request: ToolSessionRequest, signal: AbortSignal): Promise<ToolSession>;
}
