import type { Clock } from '../ports/clock.ts';
import { raceTimeout } from './race-timeout.ts';

export type KeyedLockOptions = {
  readonly clock: Clock;
  /** How many may wait for one key, without the holder. */
  readonly maxWaiting: number;
};

export type LockAttempt =
  /** `release` gives the key back; further calls do nothing. */
  | { readonly acquired: true; readonly release: () => void }
  | { readonly acquired: false; readonly reason: 'busy' | 'cancelled' | 'timeout' };

type Waiter = { readonly admit: () => void; readonly admitted: Promise<void> };

/** One holder for each key; others wait in the order in which they came. */
export class KeyedLock {
  readonly #options: KeyedLockOptions;
  /** The waiters of each key that is held. */
  readonly #waiters = new Map<string, Waiter[]>();

  constructor(options: KeyedLockOptions) {
    this.#options = options;
  }

  /** Number of holders and waiters of the key. */
  countOf(key: string): number {
    const waiting = this.#waiters.get(key);
    return waiting === undefined ? 0 : waiting.length + 1;
  }

  /** Waits until the key is free, the deadline passes or the signal is aborted. Never rejects. */
  async acquire(key: string, deadlineAtMs: number, signal: AbortSignal): Promise<LockAttempt> {
    if (signal.aborted) {
      return { acquired: false, reason: 'cancelled' };
    }
    const waiting = this.#waiters.get(key);
    if (waiting === undefined) {
      this.#waiters.set(key, []);
      return this.#held(key);
    }
    if (waiting.length >= this.#options.maxWaiting) {
      return { acquired: false, reason: 'busy' };
    }
    return this.#wait({ key, waiting, deadlineAtMs }, signal);
  }

  async #wait(
    { key, waiting, deadlineAtMs }: { readonly key: string; readonly waiting: Waiter[]; readonly deadlineAtMs: number },
    signal: AbortSignal,
  ): Promise<LockAttempt> {
    const { clock } = this.#options;
    const waiter = createWaiter();
    waiting.push(waiter);
    const durationMs = deadlineAtMs - clock.now();
    const end = await raceTimeout({ event: waiter.admitted, durationMs, clock }, signal);
    const place = waiting.indexOf(waiter);
    if (place === -1) {
      // Even if the wait ended at the moment of admission: it already holds the key.
      return this.#held(key);
    }
    waiting.splice(place, 1);
    return { acquired: false, reason: end === 'aborted' ? 'cancelled' : 'timeout' };
  }

  #held(key: string): LockAttempt {
    let isHeld = true;
    const release = (): void => {
      if (isHeld) {
        isHeld = false;
        this.#passOn(key);
      }
    };
    return { acquired: true, release };
  }

  #passOn(key: string): void {
    const next = this.#waiters.get(key)?.shift();
    if (next === undefined) {
      this.#waiters.delete(key);
      return;
    }
    next.admit();
  }
}

function createWaiter(): Waiter {
  let admit = (): void => undefined;
  const admitted = new Promise<void>((resolve) => {
    admit = resolve;
  });
  return { admit: () => admit(), admitted };
}
