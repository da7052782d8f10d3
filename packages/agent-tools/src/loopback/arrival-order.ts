import type { Clock } from '@gemini-mcp/core';
import { sleepUnlessAborted } from '@gemini-mcp/core/internal';

/** Longer than the delay between the arrivals of two requests that were sent together. */
const patienceMs = 100;

/** A client numbers its requests in sequence: a number this far ahead is not the client's. */
const maxAhead = 1_000;

/** Tracks the requests of one client by number. They come over several connections, so one may overtake another or arrive twice. */
export class ArrivalOrder {
  readonly #clock: Clock;
  /** All numbers below have arrived or were given up. */
  #next = 0;
  /** The numbers from there on that have been claimed, and whether they have arrived in order if that was requested. */
  readonly #claimed = new Map<number, boolean>();
  readonly #givenUp = new Set<number>();
  readonly #waiting = new Map<number, () => void>();

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  begin(number: number): void {
    this.#next = number + 1;
    this.#claimed.clear();
    this.#givenUp.clear();
  }

  /** One more than the highest number below which all have arrived or were given up. */
  get next(): number {
    return this.#next;
  }

  /** False if a request with this number has come before, or the number cannot be the client's. */
  claim(number: number): boolean {
    if (number < this.#next) {
      return this.#givenUp.delete(number);
    }
    if (this.#claimed.has(number) || number - this.#next > maxAhead) {
      return false;
    }
    this.#claimed.set(number, false);
    return true;
  }

  arrive(number: number): void {
    if (this.#claimed.has(number)) {
      this.#claimed.set(number, true);
      this.#advance();
    }
  }

  /**
   * Like `claim`, and resolves when all earlier requests have arrived or are no longer awaited; in order of their numbers. Never rejects.
   */
  async turnOf(number: number, signal: AbortSignal): Promise<void> {
    this.arrive(number);
    if (this.#next > number || signal.aborted) {
      return;
    }
    const patience = new AbortController();
    await new Promise<void>((resolve) => {
      this.#waiting.set(number, resolve);
      signal.addEventListener('abort', () => resolve(), { once: true, signal: patience.signal });
      void sleepUnlessAborted(this.#clock, patienceMs, patience.signal).then(
        (isOver) => isOver && this.#giveUpBelow(number),
      );
    });
    patience.abort();
    this.#waiting.delete(number);
  }

  #giveUpBelow(number: number): void {
    for (; this.#next < number; this.#next += 1) {
      if (!this.#claimed.delete(this.#next)) {
        this.#givenUp.add(this.#next);
      }
      this.#waiting.get(this.#next)?.();
    }
    this.#advance();
  }

  #advance(): void {
    while (this.#claimed.get(this.#next) === true) {
      this.#claimed.delete(this.#next);
      this.#waiting.get(this.#next)?.();
      this.#next += 1;
    }
  }
}
