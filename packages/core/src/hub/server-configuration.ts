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

/** A server that the user has configured, as far as a connection needs it. */
export type ServerConfiguration = {
  /** As the user named it. */
  readonly name: string;
  readonly transport: ServerTransport;
  /** How long a call may be without any sign of progress. */
  readonly callTimeoutMs: number;
  readonly isEnabled: boolean;
};
