import type { HttpSettingValues, Sizes } from '@gemini-mcp/server';

/** The settings of the HTTP server, checked, each with its default where it is not set, and what follows from them. */
export type HttpConfiguration = Omit<HttpSettingValues, 'oauthIssuer' | 'oauthAudience'> &
  HttpSizes & {
    /** Both as they are given: tokens name them letter for letter. */
    readonly oauth: { readonly issuer: string; readonly audience: string } | null;
  };

/** How much the HTTP server takes on. */
type HttpSizes = Pick<Sizes, 'maxConnections' | 'maxRequests' | 'maxSessions'> & {
  /** Of one request. */
  readonly maxBodyBytes: number;
  /** An MCP session without a request and without a stream for this long is ended. */
  readonly sessionIdleMs: number;
};

/** What is the same for every size of a server. */
export const fixedHttpSizes = { maxBodyBytes: 4_194_304, sessionIdleMs: 600_000 } as const;
