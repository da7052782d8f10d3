import { createHmac, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';

import type { RateLimits } from '@gemini-mcp/core/internal';
import { InMemoryRateLimits } from '../limits/limit-rate.ts';

export type FailureThrottleOptions = {
  /** How many wrong tokens an address may send in a minute before it has to wait. */
  readonly maxFailures?: number;
  /** Counts the failures. Defaults to the memory of this process. */
  readonly rateLimits?: RateLimits;
};

export type CountedFailure = {
  /** Failures in this minute, including this one. */
  readonly failures: number;
  /** Null below the limit. */
  readonly retryAfterSeconds: number | null;
};

const windowMs = 60_000;

/** Bounds the memory, however many addresses send wrong tokens. */
const buckets = 4_096;

/**
 * Counts wrong tokens by address. Valid tokens are neither counted nor delayed, so a client that shares its address or its counter with an
 * attacker still gets in.
 */
export class FailureThrottle {
  readonly #maxFailures: number;
  readonly #rateLimits: RateLimits;
  /** Keyed, so that a client cannot find addresses that share a counter. */
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

const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/** The part of an address that belongs to one sender: an IPv4 address, or the /64 of an IPv6 address. */
export function addressGroup(address: string | undefined): string {
  if (address === undefined) {
    return 'unknown';
  }
  const ipv4 = mapped.exec(address)?.[1];
  if (ipv4 !== undefined || !isIPv6(address)) {
    return ipv4 ?? address;
  }
  const [head = '', tail] = withoutZone(address).split('::');
  const start = groupsOf(head);
  const end = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => '0');
  const network = [...start, ...zeros, ...end].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

function withoutZone(address: string): string {
  return address.split('%', 1)[0] ?? address;
}

/** The last 32 bits may be written as an IPv4 address. They count as two groups, whose values do not matter here. */
function groupsOf(part: string): readonly string[] {
  return part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
