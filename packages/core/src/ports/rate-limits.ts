export type WindowCount = {
  /** Events of the key in the current window, including this one. */
  readonly count: number;
  /** Time until the window ends and the count restarts. */
  readonly endsInMs: number;
};

/**
 * Counts events by key, in windows that begin with a key's first event. Implementations must give each concurrent event a count of its own and forget
 * keys without events. Servers that share one implementation share the counts.
 */
export interface RateLimits {
  /** Counts one event. Rejects if it cannot be counted. */
  count(key: string, windowMs: number): Promise<WindowCount>;
}
