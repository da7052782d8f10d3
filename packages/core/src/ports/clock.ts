/** The only source of time. Everything that waits or measures uses a `Clock`, so that tests control time. */
export interface Clock {
  /** Milliseconds since the Unix epoch. Never decreases unless the machine's clock is set back. */
  now(): number;

  /**
   * Resolves once `durationMs` have passed, even if that exceeds the longest timer of the platform. Rejects with `signal.reason` as soon as the
   * signal is aborted, immediately if it already was, whatever the duration. A duration of zero or less resolves without any time passing. Concurrent
   * sleeps are independent. However a sleep ends, it leaves no timer and no listener on the signal.
   */
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
}
