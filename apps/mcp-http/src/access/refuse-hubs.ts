import { hubHeader, type ServerParts } from '@gemini-mcp/server';
import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import { type Refusal, refuse } from '../refusal.ts';

const itself: Refusal = {
  status: 508,
  code: 'own-upstream',
  message: 'This server asks itself. Take its own address out of mcpServers.',
};

const anotherHub: Refusal = {
  status: 508,
  code: 'hub-of-a-hub',
  message:
    'This server speaks with other servers itself, and offers them to no server that does so too: both could be asked without end. ' +
    'Name those servers in your own mcpServers.',
};

/**
 * Refuses requests of this process to itself, whatever token they bring or lack: otherwise an entry without one would want a login. Only who has
 * been asked by this process can know its id, so that no one else learns anything.
 */
export function refuseItself(mark: ServerParts['upstreams']['mark']): MiddlewareHandler<HttpEnv> {
  return async (context, next) => (context.req.header(hubHeader) === mark.id ? refuse(context, itself) : await next());
}

/**
 * Refuses requests of servers that speak with other servers, where this one does so too: two that each have the other would ask each other
 * without end. One that has none serves them like any client. For those who have shown who they are: strangers do not learn what there is.
 */
export function refuseHubs(
  settings: Pick<ServerParts['upstreams']['settings'], 'isThere'>,
): MiddlewareHandler<HttpEnv> {
  return async (context, next) => {
    const isHub = context.req.header(hubHeader) !== undefined;
    return isHub && (await settings.isThere()) ? refuse(context, anotherHub) : await next();
  };
}
