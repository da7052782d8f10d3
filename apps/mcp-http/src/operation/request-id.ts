import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Log, LogEvent, LogFields } from '@gemini-mcp/server';
import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../http-env.ts';

const ids = new AsyncLocalStorage<string>();

/** What may be written into a log and a header as it came. */
const saneId = /^[A-Za-z0-9._-]{1,64}$/;

const header = 'X-Request-Id';

/** Gives each request an id: the sender's own where that is sane. The response carries it, and so does all that the log says. */
export const identifyRequests: MiddlewareHandler<HttpEnv> = (context, next) => {
  const given = context.req.header(header);
  const requestId = given !== undefined && saneId.test(given) ? given : randomUUID();
  context.set('requestId', requestId);
  // On the response of Node, which none that a route makes can lose.
  context.env.outgoing.setHeader(header, requestId);
  return ids.run(requestId, next);
};

/** A log whose lines carry the id of the request within which they are written. */
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
