import type { Clock } from '@gemini-mcp/core';

/** The longest delay of a Node timer; above it the timer fires at once. */
const longestTimerMs = 2_147_483_647;

export type SystemClockOptions = {
  /** Whether a sleep keeps the program alive; defaults to true. */
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
      let timer: NodeJS.Timeout;
      const abort = (): void => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const sleepOn = (remainingMs: number): void => {
        const timerMs = Math.min(Math.max(remainingMs, 0), longestTimerMs);
        timer = setTimeout(() => {
          if (remainingMs > timerMs) {
            sleepOn(remainingMs - timerMs);
          } else {
            signal.removeEventListener('abort', abort);
            resolve();
          }
        }, timerMs);
        if (!this.#keepsAlive) {
          timer.unref();
        }
      };
      sleepOn(durationMs);
      signal.addEventListener('abort', abort, { once: true });
    });
  }
}
