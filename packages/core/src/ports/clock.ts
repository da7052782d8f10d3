/** The only source of time. Everything that waits or measures asks a `Clock`, so that tests can own time. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;

  /**
   * Resolves after `durationMs`. Rejects with `signal.reason` as soon as the signal is aborted, at once when it already was.
   * A duration of zero or less resolves in a later microtask. Leaves no timer behind, whichever way it ends.
   */
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
}
