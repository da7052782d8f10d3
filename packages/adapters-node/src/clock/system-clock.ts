import type { Clock } from '@gemini-mcp/core';

/** Longest delay that a Node timer keeps; above it the timer fires at once. */
const longestTimerMs = 2_147_483_647;

export type SystemClockOptions = {
  /** Whether a program stays alive while anything sleeps, which is so when it is missing. */
  readonly keepsAlive?: boolean;
};

/** The machine's clock. */
export class SystemClock implements Clock {
  readonly #keepsAlive: boolean;

  constructor({ keepsAlive = true }: SystemClockOptions = {}) {
    this.#keepsAlive = keepsAlive;
  }

  now(): number {
    return Date.now();
  }

  sleep(durationMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const abort = (): void => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(
        () => {
          signal.removeEventListener('abort', abort);
          resolve();
        },
        Math.min(Math.max(durationMs, 0), longestTimerMs),
      );
      if (!this.#keepsAlive) {
        timer.unref();
      }
      signal.addEventListener('abort', abort, { once: true });
    });
  }
}
