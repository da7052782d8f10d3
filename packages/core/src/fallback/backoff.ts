const firstCeilingMs = 1_000;
const highestCeilingMs = 16_000;

export type BackoffOptions = {
  /** Retries already made on this model. */
  readonly retries: number;
  /** What the API asked for, where it did. */
  readonly retryAfterMs: number | null;
  /** Evenly distributed in [0, 1). */
  readonly random: number;
};

/**
 * Full jitter: anywhere between nothing and a ceiling that doubles, so that callers who failed together do not come
 * back together. A delay that the API asked for is waited out in full first.
 */
export function backoffMs({ retries, retryAfterMs, random }: BackoffOptions): number {
  const ceilingMs = Math.min(highestCeilingMs, firstCeilingMs * 2 ** retries);
  return Math.ceil((retryAfterMs ?? 0) + random * ceilingMs);
}
