/** Why a warm process was ended, or ended by itself. */
export type PoolEndReason =
  /** It held as many sessions as one process should, or more memory. */
  | 'sessions'
  | 'memory'
  /** No call had come for a while. */
  | 'idle'
  /** It was for one call. */
  | 'alone'
  /** Another kind of call needed its room. */
  | 'evicted'
  | 'closed'
  /** It hung, flooded, wrote what is no protocol, or asked for what is never allowed. */
  | 'fault'
  | 'crashed'
  | 'start-failed';

/** What there is to tell of the warm processes, for a log. `processId` is made up for it; `detail` is text from strangers, redacted. */
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
  /** A call on a process that ended, of which nothing had been said yet, is carried by another. */
  | { readonly type: 'retried'; readonly processId: string; readonly detail: string };
