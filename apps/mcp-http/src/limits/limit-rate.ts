import type { MiddlewareHandler } from 'hono';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { HttpEnv } from '../http-env.ts';
import { refuse } from '../refusal.ts';

export type RateLimitOptions = {
  /** Of one principal; 0 for as many as come. */
  readonly requestsPerMinute: number;
};

const passOn: MiddlewareHandler<HttpEnv> = (_, next) => next();

/** Refuses with 429 what a principal sends beyond its requests a minute, and says when the minute is over. */
export function limitRate({ requestsPerMinute }: RateLimitOptions): MiddlewareHandler<HttpEnv> {
  if (requestsPerMinute === 0) {
    return passOn;
  }
  const limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: 60 });
  return async (context, next) => {
    const waitMs = await consume(limiter, context.get('principal').owner);
    if (waitMs === null) {
      return next();
    }
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    return refuse(context, {
      status: 429,
      code: 'rate-limited',
      message: `More than ${requestsPerMinute} requests in a minute. Try again in ${seconds} s. GEMINI_MCP_HTTP_RATE_LIMIT says how many are allowed.`,
      headers: { 'Retry-After': String(seconds) },
    });
  };
}

/** Resolves to null for a request that may pass, else to how long it is until the next one may. */
async function consume(limiter: RateLimiterMemory, key: string): Promise<number | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (refused) {
    if (refused instanceof RateLimiterRes) {
      return refused.msBeforeNext;
    }
    throw refused;
  }
}
