import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Clock } from '@gemini-mcp/core';
import type { Log, LogEvent, LogFields } from '@gemini-mcp/server';
import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { HttpEnv } from '../http-env.ts';

export type LogRequestsOptions = {
  readonly log: Log;
  readonly clock: Clock;
};

/** Requested every few seconds by machines. */
const routine: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Writes one line for each request when its response has ended, or its sender has disconnected. It contains nothing that a
 * caller wrote. Requests that machines repeat, and guesses at tokens beyond the first few, appear only at `debug`: otherwise
 * anyone could flood the log.
 */
export function logRequests({ log, clock }: LogRequestsOptions): MiddlewareHandler<HttpEnv> {
  return async (context, next) => {
    const startedAtMs = clock.now();
    const { incoming, outgoing } = context.env;
    const { socket } = incoming;
    const writtenBefore = socket.bytesWritten;
    outgoing.once('close', () => {
      const route = routeOf(context);
      const isRoutine = routine.has(route) || context.get('refusedAs') === 'too-many-wrong-tokens';
      const level = isRoutine ? 'debug' : 'info';
      log[level]('request', {
        requestId: context.get('requestId'),
        method: incoming.method,
        route,
        status: outgoing.statusCode,
        durationMs: clock.now() - startedAtMs,
        // On the wire, including headers.
        bytes: socket.bytesWritten - writtenBefore,
        ...detailsOf(context),
      });
    });
    await next();
  };
}

function detailsOf(context: Context<HttpEnv>): Readonly<Record<string, unknown>> {
  // A client without authentication has no principal.
  const principal: HttpEnv['Variables']['principal'] | undefined = context.get('principal');
  const refusedAs = context.get('refusedAs');
  return {
    ...(principal !== undefined && { principal: principal.name }),
    ...(refusedAs !== undefined && { refusedAs }),
    ...(!context.env.outgoing.writableFinished && { aborted: true }),
  };
}

/** The pattern of a request's route, as registered, without the caller's path. `unknown` if only middleware matches. */
export function routeOf(context: Context<HttpEnv>): string {
  return matchedRoutes(context).find(({ path }) => !path.endsWith('*'))?.path ?? 'unknown';
}

const ids = new AsyncLocalStorage<string>();

/** Ids that may appear unchanged in a log and a header. */
const saneId = /^[A-Za-z0-9._-]{1,64}$/;

const header = 'X-Request-Id';

/** Gives each request an id: the sender's own if valid. The response and all log lines carry it. */
export const identifyRequests: MiddlewareHandler<HttpEnv> = (context, next) => {
  const given = context.req.header(header);
  const requestId = given !== undefined && saneId.test(given) ? given : randomUUID();
  context.set('requestId', requestId);
  // On Node's response, so that no route's response can lose it.
  context.env.outgoing.setHeader(header, requestId);
  return ids.run(requestId, next);
};

/** A log whose lines carry the id of their request. */
export function withRequestId(log: Log): Log {
  const at =
    (write: LogEvent): LogEvent =>
    (event, fields) => {
      const requestId = ids.getStore();
      const all: LogFields | undefined = requestId === undefined ? fields : { requestId, ...fields };
      write(event, all);
    };
  return { trace: at(log.trace), debug: at(log.debug), info: at(log.info), warn: at(log.warn), error: at(log.error) };
}
