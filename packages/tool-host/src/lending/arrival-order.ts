import type { Clock } from '@gemini-mcp/core';
import { waitAtMost } from '@gemini-mcp/core/internal';

/** Longer than two requests that were sent together lie apart when they arrive. */
const patienceMs = 100;

/** A client numbers its requests one after the other: one that is this far ahead is not of the client. */
const maxAhead = 1_000;

/**
 * The requests of one client by their numbers. They come over several connections, where one may overtake another; and one may come
 * twice.
 */
export class ArrivalOrder {
  readonly #clock: Clock;
  /** All below have arrived, but for those that were given up. */
  #next: number | null = null;
  readonly #ahead = new Set<number>();
  readonly #givenUp = new Set<number>();
  readonly #waiting = new Map<number, () => void>();

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  /** A client begins to count, with this number. */
  begin(number: number): void {
    this.#next = number + 1;
    this.#ahead.clear();
    this.#givenUp.clear();
  }

  /** Notes an arrival. False where a request of this number has arrived before, or can be none of the client's. */
  note(number: number): boolean {
    const next = this.#next ?? number;
    if (number < next) {
      return this.#givenUp.delete(number);
    }
    if (this.#ahead.has(number) || number - next > maxAhead) {
      return false;
    }
    this.#next = next;
    this.#ahead.add(number);
    this.#advance();
    return true;
  }

  /** Resolves when all requests before this one have arrived, or when they are not waited for any longer. Never rejects. */
  async turnOf(number: number, signal: AbortSignal): Promise<void> {
    if (this.#hasAll(number)) {
      return;
    }
    const event = new Promise<void>((resolve) => this.#waiting.set(number, resolve));
    await waitAtMost({ event, durationMs: patienceMs, clock: this.#clock }, signal);
    this.#waiting.delete(number);
    this.#giveUpBelow(number);
  }

  #hasAll(number: number): boolean {
    return this.#next === null || this.#next > number;
  }

  #giveUpBelow(number: number): void {
    for (let missing = this.#next ?? number; missing < number; missing += 1) {
      if (!this.#ahead.delete(missing)) {
        this.#givenUp.add(missing);
      }
    }
    this.#next = Math.max(this.#next ?? number, number);
    this.#advance();
  }

  #advance(): void {
    while (this.#next !== null && this.#ahead.delete(this.#next)) {
      this.#next += 1;
    }
    for (const [number, wake] of this.#waiting) {
      if (this.#hasAll(number)) {
        wake();
      }
    }
  }
}
