export type WindowCount = {
  /** Events of the key in the current window, this one included. */
  readonly count: number;
  /** Until the window ends, and the count begins again. */
  readonly endsInMs: number;
};

/**
 * Counts events by key, in windows that begin with the first event of a key. An implementer owes that of concurrent events each has a count
 * of its own, and that keys without events are forgotten. Servers that share one implementation share the counts.
 */
export interface RateLimits {
  /** Counts one event. Rejects if it cannot be counted. */
  count(key: string, windowMs: number): Promise<WindowCount>;
}
