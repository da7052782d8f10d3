import type { RateLimits } from '@gemini-mcp/core';
import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import { refuse } from '../refusal.ts';
import { InMemoryRateLimits } from './in-memory-rate-limits.ts';

export type RateLimitOptions = {
  /** Of one principal; 0 for as many as come. */
  readonly requestsPerMinute: number;
  /** Where requests are counted. Defaults to the memory of this process. */
  readonly rateLimits?: RateLimits;
};

const minuteMs = 60_000;

const passOn: MiddlewareHandler<HttpEnv> = (_, next) => next();

/** Refuses with 429 what a principal sends beyond its requests a minute, and says when the minute is over. */
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
      message: `More than ${requestsPerMinute} requests in a minute. Try again in ${seconds} s. GEMINI_MCP_HTTP_RATE_LIMIT says how many are allowed.`,
      headers: { 'Retry-After': String(seconds) },
    });
  };
}
