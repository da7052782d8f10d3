/** How a server's process ended. */
export type ServerProcessEnd = {
  /** In our words: `it exited with code 1`. */
  readonly detail: string;
  /** The last of what it wrote to standard error, as it wrote it; at most 4,000 characters. */
  readonly errorText: string;
};

/** A server that runs. */
export interface ServerProcess {
  /** What it writes to standard output, until it has ended. For one reader; the process waits while it reads nothing. */
  readonly output: AsyncIterable<Uint8Array>;
  /** Resolves once the system has taken the text, or takes no more of it because the process has ended. Never rejects. */
  write(text: string): Promise<void>;
  /** Asks it to end, makes it after a grace time, and resolves once it and all that it has started are gone. Never rejects. */
  end(): Promise<void>;
  /** Resolves once it and all that it has started are gone, whatever the reason; never rejects. */
  readonly ended: Promise<ServerProcessEnd>;
}

export type ServerStart =
  | { readonly started: true; readonly process: ServerProcess }
  /** Nothing is left of it. `detail` says why, and what to do: sentences for a user. */
  | { readonly started: false; readonly detail: string };

/**
 * Starts the programs of other MCP servers. An implementer owes:
 *
 * - An environment of what every program needs and of what the program brings, and nothing else of this process.
 * - Programs from a PATH of its own making: nothing that a project or another user could have put there.
 * - No process left of a server that has ended or was ended, those too that it has started and that have left its group; nor two seconds
 *   after this process was killed.
 */
export interface ServerProcesses {
  /** Never rejects. Nothing is started after an abort. */
  start(program: ServerProgram, signal: AbortSignal): Promise<ServerStart>;
}

/** A program that speaks MCP on its standard streams. */
export type ServerProgram = {
  /** The name of a program, or an absolute path. */
  readonly command: string;
  readonly arguments: readonly string[];
  /** What it gets besides the few variables that every program needs, with every reference put in. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly workingDirectory: string;
};

/** How a server is reached, with every reference put in. */
export type ServerTransport =
  | { readonly type: 'stdio'; readonly program: ServerProgram }
  | {
      /** `http` is Streamable HTTP, `sse` the older one; `either` tries them in this order. */
      readonly type: 'http' | 'sse' | 'either';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };
