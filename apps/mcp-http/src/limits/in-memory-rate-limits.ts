import type { RateLimits, WindowCount } from '@gemini-mcp/core';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** Counts that live as long as the process. */
export class InMemoryRateLimits implements RateLimits {
  readonly #counts = new RateLimiterMemory({ points: 1, duration: 60 });

  async count(key: string, windowMs: number): Promise<WindowCount> {
    // A penalty always counts, and never rejects.
    const { consumedPoints, msBeforeNext } = await this.#counts.penalty(key, 1, { customDuration: windowMs / 1_000 });
    return { count: consumedPoints, endsInMs: msBeforeNext };
  }
}
