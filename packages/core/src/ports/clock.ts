/** The only source of time. Everything that waits or measures asks a `Clock`, so that tests can own time. */
export interface Clock {
  /** Milliseconds since the Unix epoch. Never less than before, as long as the machine's clock is not set back. */
  now(): number;

  /**
   * Resolves to nothing once `durationMs` have passed, also where that is longer than a timer of the platform can be. Rejects with
   * `signal.reason` as soon as the signal is aborted, at once when it already was, whatever the duration. A duration of zero
   * or less resolves without any time having to pass. Sleeps do not wait for each other. However a sleep ends, no timer of it and no
   * listener on the signal remains.
   */
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
}
