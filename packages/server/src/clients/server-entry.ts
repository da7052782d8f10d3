/** How a client starts a server over stdio. Holds the names of variables, never their values. */
export type StdioEntry = {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether `args` name the working directory. */
  readonly hasDirectory: boolean;
  /** Names of variables with the login and the way to the network, which some clients pass on only when they are told to. */
  readonly variables: readonly string[];
};

/** Where a client finds a server over HTTP, and what lets it in. */
export type HttpEntry = {
  /** Of `/mcp`. */
  readonly url: string;
  /** The token itself, for the one time that a new one is shown; null where the client is to take it from elsewhere. */
  readonly token: string | null;
};

/** The variable from which clients take the token of an HTTP server. */
export const tokenVariable = 'GEMINI_MCP_TOKEN';

/** The longest that a call may take where nothing is set, so that no client gives up before the server does. */
export const callTimeoutMs = 600_000;

/** Whether one of the variables holds a login for Google. */
export function hasLogin({ variables }: Pick<StdioEntry, 'variables'>): boolean {
  return variables.some((name) => /^(?:GEMINI_API_KEY$|GOOGLE_)/i.test(name));
}
