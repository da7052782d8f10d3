import { createHmac, randomBytes } from 'node:crypto';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { addressGroup } from './address-group.ts';

export type FailureThrottleOptions = {
  /** Wrong tokens of one address in a minute, beyond which it is told to wait. */
  readonly maxFailures?: number;
};

export type CountedFailure = {
  /** How many there were in this minute, this one included. */
  readonly failures: number;
  /** Null while there are few. */
  readonly retryAfterSeconds: number | null;
};

const windowSeconds = 60;

/** So many numbers are kept at most, whatever is sent from wherever. */
const buckets = 4_096;

/**
 * Counts wrong tokens by the address they come from. Right tokens are never counted nor held up, so an address that others
 * guess from, or that is counted in one number with another, loses nothing by it.
 */
export class FailureThrottle {
  readonly #maxFailures: number;
  readonly #counts: RateLimiterMemory;
  /** No one outside can find addresses that share a number. */
  readonly #salt = randomBytes(16);

  constructor({ maxFailures = 20 }: FailureThrottleOptions = {}) {
    this.#maxFailures = maxFailures;
    this.#counts = new RateLimiterMemory({ points: maxFailures, duration: windowSeconds });
  }

  async countFailure(address: string | undefined): Promise<CountedFailure> {
    const { consumedPoints, msBeforeNext } = await this.#counts.penalty(this.#bucketOf(addressGroup(address)));
    const isTooMany = consumedPoints > this.#maxFailures;
    return {
      failures: consumedPoints,
      retryAfterSeconds: isTooMany ? Math.max(1, Math.ceil(msBeforeNext / 1_000)) : null,
    };
  }

  #bucketOf(group: string): number {
    return createHmac('sha256', this.#salt).update(group).digest().readUInt32BE() % buckets;
  }
}
