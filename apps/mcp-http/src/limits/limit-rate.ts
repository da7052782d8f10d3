import type { RateLimits, WindowCount } from '@gemini-mcp/core/internal';
import type { MiddlewareHandler } from 'hono';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { HttpEnv } from '../http-env.ts';
import { refuse } from '../refusal.ts';

export type RateLimitOptions = {
  /** For one principal; 0 for no limit. */
  readonly requestsPerMinute: number;
  /** Counts the requests. Defaults to the memory of this process. */
  readonly rateLimits?: RateLimits;
};

const minuteMs = 60_000;

const passOn: MiddlewareHandler<HttpEnv> = (_, next) => next();

/** Refuses a principal's requests over the limit per minute with 429 and `Retry-After`. */
export function limitRate({
  requestsPerMinute,
  rateLimits = new InMemoryRateLimits(),
}: RateLimitOptions): MiddlewareHandler<HttpEnv> {
  if (requestsPerMinute === 0) {
    return passOn;
  }
  return async (context, next) => {
    const { count, endsInMs } = await rateLimits.count(`requests ${context.get('principal').owner}`, minuteMs);
    if (count <= requestsPerMinute) {
      return next();
    }
    const seconds = Math.max(1, Math.ceil(endsInMs / 1_000));
    return refuse(context, {
      status: 429,
      code: 'rate-limited',
      message: `More than ${requestsPerMinute} requests in a minute. Try again in ${seconds} s. GEMINI_MCP_HTTP_RATE_LIMIT sets the limit.`,
      headers: { 'Retry-After': String(seconds) },
    });
  };
}

/** Counts that live as long as the process. */
export class InMemoryRateLimits implements RateLimits {
  readonly #counts = new RateLimiterMemory({ points: 1, duration: 60 });

  async count(key: string, windowMs: number): Promise<WindowCount> {
    // A penalty always counts, and never rejects.
    const { consumedPoints, msBeforeNext } = await this.#counts.penalty(key, 1, { customDuration: windowMs / 1_000 });
    return { count: consumedPoints, endsInMs: msBeforeNext };
  }
}
