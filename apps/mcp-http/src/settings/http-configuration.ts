/** The settings of the HTTP server, checked, each with what holds where nothing is set. */
export type HttpConfiguration = {
  /** An address without brackets, or a name. */
  readonly host: string;
  /** 0 for one that is free. */
  readonly port: number;
  /** Whether `/mcp` keeps sessions. */
  readonly isStateful: boolean;
  /** Whether `/sse` and `/messages` are served. */
  readonly legacySse: boolean;
  /** A session without a request and without a stream for this long is ended. */
  readonly sessionIdleMs: number;
  /** Sessions at one time. */
  readonly maxSessions: number;
  /** The time for calls to end when the server is told to. */
  readonly shutdownGraceMs: number;
  /** A secret. Null where none is set in the environment. */
  readonly token: string | null;
  /** Where the token lies, or is put; null where there is no file, and where `token` is set. */
  readonly tokenFile: string | null;
  readonly principalsFile: string | null;
  /** Both as they are given: tokens name them letter for letter. */
  readonly oauth: { readonly issuer: string; readonly audience: string } | null;
  /** In addition to the loopback names: `name` or `name:port`, in lower case, an IPv6 address in brackets. */
  readonly allowedHosts: readonly string[];
  /** Origins as browsers write them. */
  readonly allowedOrigins: readonly string[];
  readonly maxBodyBytes: number;
  readonly maxConnections: number;
  /** Requests of one principal at one time. */
  readonly maxRequests: number;
  /** Of one principal; 0 for no limit. */
  readonly requestsPerMinute: number;
};
