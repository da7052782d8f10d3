import type { ServerResponse } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import { refuse } from '../refusal.ts';

export type ConcurrencyLimitOptions = {
  /** Concurrent requests of one principal. Each counts until its response has ended, including streams. */
  readonly maxRequests: number;
};

/** Refuses a principal's requests over its concurrency limit with 429. */
export function limitConcurrency({ maxRequests }: ConcurrencyLimitOptions): MiddlewareHandler<HttpEnv> {
  const underWay = new Map<string, number>();
  return async (context, next) => {
    const { owner } = context.get('principal');
    const count = underWay.get(owner) ?? 0;
    if (count >= maxRequests) {
      return refuse(context, {
        status: 429,
        code: 'too-many-requests',
        message: `${count} of your requests are in progress, the most that this server allows. Wait until one has ended. The server's size decides the limit (GEMINI_MCP_PROFILE).`,
        headers: { 'Retry-After': '1' },
      });
    }
    underWay.set(owner, count + 1);
    whenResponseEnds(context.env.outgoing, () => {
      const left = (underWay.get(owner) ?? 0) - 1;
      if (left > 0) {
        underWay.set(owner, left);
      } else {
        underWay.delete(owner);
      }
    });
    return next();
  };
}

/** Calls `done` once, when the last byte of a response has been handed to the system or the receiver has disconnected. */
export function whenResponseEnds(outgoing: ServerResponse, done: () => void): void {
  if (outgoing.closed || outgoing.destroyed) {
    done();
    return;
  }
  outgoing.once('close', done);
}
