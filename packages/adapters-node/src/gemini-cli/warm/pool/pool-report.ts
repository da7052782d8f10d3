/** Why a warm process ended. */
export type PoolEndReason =
  /** It held more sessions or more memory than one process should. */
  | 'sessions'
  | 'memory'
  /** It received no call for a while. */
  | 'idle'
  /** It served one call only. */
  | 'alone'
  /** A call of another kind needed its slot. */
  | 'evicted'
  | 'closed'
  /** It hung, flooded its output, broke the protocol, or made a request that is never allowed. */
  | 'fault'
  | 'crashed'
  | 'start-failed';

/** A log entry about the warm processes. `processId` is invented for the log; `detail` is untrusted text, redacted. */
export type PoolReport =
  | { readonly type: 'started'; readonly processId: string }
  | { readonly type: 'ready'; readonly processId: string; readonly afterMs: number }
  | {
      readonly type: 'ended';
      readonly processId: string;
      readonly reason: PoolEndReason;
      readonly detail: string;
      readonly sessions: number;
      readonly lifetimeMs: number;
    }
  /** A call moves to another process because its own ended before reporting anything. */
  | { readonly type: 'retried'; readonly processId: string; readonly detail: string };
