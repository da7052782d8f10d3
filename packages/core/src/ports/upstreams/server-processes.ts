/** How a server's process ended. */
export type ServerProcessEnd = {
  /** A phrase of our own: `it exited with code 1`. */
  readonly detail: string;
  /** The end of its standard error, unchanged; at most 4,000 characters. */
  readonly errorText: string;
};

/** A running server process. */
export interface ServerProcess {
  /** Its standard output, until the process has ended. Supports one reader, with backpressure. */
  readonly output: AsyncIterable<Uint8Array>;
  /** Resolves once the system has accepted the text, or cannot because the process has ended. Never rejects. */
  write(text: string): Promise<void>;
  /** Asks the process to exit, kills it after a grace period, and resolves once it and all its descendants are gone. Never rejects. */
  end(): Promise<void>;
  /** Resolves once the process and all its descendants are gone, whatever the reason; never rejects. */
  readonly ended: Promise<ServerProcessEnd>;
}

export type ServerStart =
  | { readonly started: true; readonly process: ServerProcess }
  /** Nothing is left of it. `detail` says why, and what to do: sentences for a user. */
  | { readonly started: false; readonly detail: string };

/**
 * Starts the programs of upstreams. Implementations must:
 *
 * - Pass only the variables that every program needs and those of the program itself, and nothing else of this process's environment.
 * - Find programs on a PATH of their own making, with nothing that a project or another user could have put there.
 * - Leave no process of a server that has ended or was killed, including descendants that left its process group, and none later than two seconds
 *   after this process was killed.
 */
export interface ServerProcesses {
  /** Never rejects. Starts nothing after an abort. */
  start(program: ServerProgram, signal: AbortSignal): Promise<ServerStart>;
}

/** A program that speaks MCP on its standard streams. */
export type ServerProgram = {
  /** A program name, or an absolute path. */
  readonly command: string;
  readonly arguments: readonly string[];
  /** Variables besides the few that every program gets, with all references resolved. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly workingDirectory: string;
};

/** How to reach a server, with all references resolved. */
export type ServerTransport =
  | { readonly type: 'stdio'; readonly program: ServerProgram }
  | {
      /** `http` is Streamable HTTP, `sse` the older transport; `either` tries them in this order. */
      readonly type: 'http' | 'sse' | 'either';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };
