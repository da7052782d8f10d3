/** Why there is no connection to a server. */
export type ConnectionFailure = {
  readonly kind: /** Its settings do not say how it is reached. */
    | 'misconfigured'
    | 'not-started'
    | 'unreachable'
    /** It did not answer in time. */
    | 'silent'
    /** It ended, or closed the connection. */
    | 'ended'
    /** It refused, or said what cannot be understood. */
    | 'refused'
    /** It is there, and cannot answer now: a fault of its own, or too many requests. */
    | 'out-of-order'
    | 'flooding';
  /** What happened and what to do, in sentences for a user. What the server wrote is quoted. */
  readonly detail: string;
};

/** What a connection to a server is. `failures` counts those since the server last answered a call. */
export type ConnectionState =
  | { readonly type: 'disconnected'; readonly failures: number }
  | { readonly type: 'connecting'; readonly sinceMs: number; readonly failures: number }
  | { readonly type: 'connected'; readonly sinceMs: number; readonly failures: number }
  /** Nothing is tried before the user has logged in. `challenge` is what the server said, for the log-in. */
  | { readonly type: 'awaiting-login'; readonly challenge: string }
  | {
      readonly type: 'failed';
      readonly failure: ConnectionFailure;
      readonly failures: number;
      /** Nothing is tried before. */
      readonly retryAtMs: number;
    };
