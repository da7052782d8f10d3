import type { Clock } from '../ports/clock.ts';

export type KeyedLockOptions = {
  readonly clock: Clock;
  /** How many may wait for one key, beside the one that holds it. */
  readonly maxWaiting: number;
};

export type LockAttempt =
  /** To be given back by `release`; calling that again does nothing. */
  | { readonly acquired: true; readonly release: () => void }
  | { readonly acquired: false; readonly reason: 'busy' | 'cancelled' | 'timeout' };

type Waiter = { readonly admit: () => void };

/** One holder a key at a time; the others wait in the order in which they came. */
export class KeyedLock {
  readonly #options: KeyedLockOptions;
  /** Those who wait, for each key that is held. */
  readonly #waiters = new Map<string, Waiter[]>();

  constructor(options: KeyedLockOptions) {
    this.#options = options;
  }

  /** How many hold or wait for the key. */
  countOf(key: string): number {
    const waiting = this.#waiters.get(key);
    return waiting === undefined ? 0 : waiting.length + 1;
  }

  /** Waits until the key is free, the deadline has come or the signal is aborted. Never rejects. */
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

  #wait(
    { key, waiting, deadlineAtMs }: { readonly key: string; readonly waiting: Waiter[]; readonly deadlineAtMs: number },
    signal: AbortSignal,
  ): Promise<LockAttempt> {
    const { clock } = this.#options;
    const alarm = new AbortController();
    return new Promise((resolve) => {
      const end = (attempt: LockAttempt): void => {
        signal.removeEventListener('abort', cancel);
        alarm.abort();
        resolve(attempt);
      };
      const waiter: Waiter = { admit: () => end(this.#held(key)) };
      const giveUp = (reason: 'cancelled' | 'timeout'): void => {
        const place = waiting.indexOf(waiter);
        // Whoever was admitted at the same moment holds the key already.
        if (place !== -1) {
          waiting.splice(place, 1);
          end({ acquired: false, reason });
        }
      };
      const cancel = (): void => giveUp('cancelled');
      waiting.push(waiter);
      signal.addEventListener('abort', cancel, { once: true });
      clock.sleep(deadlineAtMs - clock.now(), alarm.signal).then(
        () => giveUp('timeout'),
        () => undefined,
      );
    });
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
