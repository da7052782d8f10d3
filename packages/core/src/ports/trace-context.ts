/**
 * The trace that a call belongs to, as W3C Trace Context and Baggage define it, to pass on with the requests of the call. Every value is valid by its
 * syntax. A `tracestate` comes with a `traceparent` only.
 */
export type TraceContext = {
  readonly traceparent?: string;
  readonly tracestate?: string;
  /** May hold data of the caller: it goes to the user's own servers, never to Google. */
  readonly baggage?: string;
};
