/** Why there is no connection to an upstream. */
export type ConnectionFailure = {
  readonly kind: /** Its settings do not say how it is reached. */
    | 'misconfigured'
    | 'not-started'
    | 'unreachable'
    /** It did not answer in time. */
    | 'silent'
    /** It exited, or closed the connection. */
    | 'ended'
    /** It refused, or its answer was not valid. */
    | 'refused'
    /** It runs but cannot answer now: an error of its own, or too many requests. */
    | 'out-of-order'
    | 'flooding';
  /** What happened and what to do, in sentences for a user. Text from the server is quoted. */
  readonly detail: string;
};

/** The state of a connection to an upstream. `failures` counts those since the server last answered a call. */
export type ConnectionState =
  | { readonly type: 'disconnected'; readonly failures: number }
  | { readonly type: 'connecting'; readonly sinceMs: number; readonly failures: number }
  | { readonly type: 'connected'; readonly sinceMs: number; readonly failures: number }
  /** No attempt is made before the user logs in. `challenge` is the server's challenge, for the login. */
  | { readonly type: 'awaiting-login'; readonly challenge: string }
  | {
      readonly type: 'failed';
      readonly failure: ConnectionFailure;
      readonly failures: number;
      /** No attempt is made before this time. */
      readonly retryAtMs: number;
    };
