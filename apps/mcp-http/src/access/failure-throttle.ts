import { createHmac, randomBytes } from 'node:crypto';
import type { RateLimits } from '@gemini-mcp/core';
import { InMemoryRateLimits } from '../limits/in-memory-rate-limits.ts';
import { addressGroup } from './address-group.ts';

export type FailureThrottleOptions = {
  /** Wrong tokens of one address in a minute, beyond which it is told to wait. */
  readonly maxFailures?: number;
  /** Where failures are counted. Defaults to the memory of this process. */
  readonly rateLimits?: RateLimits;
};

export type CountedFailure = {
  /** How many there were in this minute, this one included. */
  readonly failures: number;
  /** Null while there are few. */
  readonly retryAfterSeconds: number | null;
};

const windowMs = 60_000;

/** So many numbers are kept at most, whatever is sent from wherever. */
const buckets = 4_096;

/**
 * Counts wrong tokens by the address they come from. Right tokens are never counted nor held up, so an address that others
 * guess from, or that is counted in one number with another, loses nothing by it.
 */
export class FailureThrottle {
  readonly #maxFailures: number;
  readonly #rateLimits: RateLimits;
  /** No one outside can find addresses that share a number. */
  readonly #salt = randomBytes(16);

  constructor({ maxFailures = 20, rateLimits = new InMemoryRateLimits() }: FailureThrottleOptions = {}) {
    this.#maxFailures = maxFailures;
    this.#rateLimits = rateLimits;
  }

  async countFailure(address: string | undefined): Promise<CountedFailure> {
    const { count, endsInMs } = await this.#rateLimits.count(
      `failures ${this.#bucketOf(addressGroup(address))}`,
      windowMs,
    );
    const isTooMany = count > this.#maxFailures;
    return {
      failures: count,
      retryAfterSeconds: isTooMany ? Math.max(1, Math.ceil(endsInMs / 1_000)) : null,
    };
  }

  #bucketOf(group: string): number {
    return createHmac('sha256', this.#salt).update(group).digest().readUInt32BE() % buckets;
  }
}
