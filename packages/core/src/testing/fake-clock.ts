import type { Clock } from '../ports/clock.ts';

type Sleeper = {
  readonly wakesAtMs: number;
  readonly wake: () => void;
};

/** A clock that moves only when a test advances it. */
export class FakeClock implements Clock {
  #nowMs: number;
  readonly #sleepers = new Set<Sleeper>();

  constructor(startMs = 1_700_000_000_000) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  /** Number of pending sleeps: zero once everything that waited has ended. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  sleep(durationMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      if (durationMs <= 0) {
        resolve();
        return;
      }
      const sleeper: Sleeper = {
        wakesAtMs: this.#nowMs + durationMs,
        wake: () => {
          signal.removeEventListener('abort', abort);
          this.#sleepers.delete(sleeper);
          resolve();
        },
      };
      const abort = (): void => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#sleepers.add(sleeper);
    });
  }

  /** Advances time, waking sleepers in the order of their times, and lets the woken code run before resolving. */
  async advance(durationMs: number): Promise<void> {
    const targetMs = this.#nowMs + durationMs;
    await settle();
    for (let next = this.#nextBefore(targetMs); next !== undefined; next = this.#nextBefore(targetMs)) {
      this.#nowMs = next.wakesAtMs;
      next.wake();
      await settle();
    }
    this.#nowMs = targetMs;
  }

  #nextBefore(targetMs: number): Sleeper | undefined {
    return [...this.#sleepers]
      .filter((sleeper) => sleeper.wakesAtMs <= targetMs)
      .sort((a, b) => a.wakesAtMs - b.wakesAtMs)[0];
  }
}

/** Enough microtask turns for woken code to reach its next sleep, even through a dozen consecutive calls. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 1_000; turn += 1) {
    await Promise.resolve();
  }
}
