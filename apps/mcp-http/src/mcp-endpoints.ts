import type { Surface } from '@gemini-mcp/mcp';
import {
  createSessionEndpoint,
  createStatelessEndpoint,
  type McpCaller,
  type McpHttpOptions,
  type SessionEndpoint,
  type StatelessEndpoint,
} from '@gemini-mcp/mcp/http';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { Challenge } from './access/required-scopes.ts';
import { requireScopes, scopesOfMessage } from './access/required-scopes.ts';
import type { HttpEnv } from './http-env.ts';
import { refuse, wrongMethod } from './refusal.ts';
import type { HttpConfiguration } from './settings/read-http-configuration.ts';
import { bindingOf, type Surfaces } from './surfaces.ts';

export type McpEndpointsOptions = McpRouteParts & {
  readonly protocol: McpHttpOptions;
  readonly http: Pick<HttpConfiguration, 'isStateful' | 'maxSessions' | 'sessionIdleMs'>;
};

/** The MCP endpoints. */
export type McpEndpoints = {
  /** By their path prefix. */
  readonly routes: Readonly<Record<string, Hono<HttpEnv>>>;
  /** The number of current sessions. */
  readonly sessionCount: () => number;
  /** Resolves when every call that was running has come to its end, cancelled ones included. Never rejects. */
  readonly callsEnded: () => Promise<void>;
  /** Cancels what runs, ends all streams and sessions, and refuses what comes. */
  readonly close: () => Promise<void>;
};

/** `/mcp`, with sessions or without them. */
export function createMcpEndpoints({ protocol, http, ...parts }: McpEndpointsOptions): McpEndpoints {
  const limits = { maxSessions: http.maxSessions, idleMs: http.sessionIdleMs };
  const sessions = http.isStateful ? createSessionEndpoint({ ...protocol, ...limits }) : null;
  const endpoint = sessions ?? createStatelessEndpoint(protocol);
  return {
    routes: { '/mcp': mcpRoutes(endpoint, parts) },
    sessionCount: () => sessions?.load.sessions ?? 0,
    callsEnded: () => endpoint.callsEnded(),
    close: () => endpoint.close(),
  };
}

/** The dependencies of the MCP routes besides the handlers. */
type McpRouteParts = {
  readonly surfaces: Surfaces;
  readonly challenge: Challenge;
  readonly readBody: MiddlewareHandler<HttpEnv>;
};

/** `/mcp`. */
export function mcpRoutes(endpoint: StatelessEndpoint | SessionEndpoint, parts: McpRouteParts): Hono<HttpEnv> {
  const { surfaces, challenge, readBody } = parts;
  const routes = new Hono<HttpEnv>();
  routes.post('/', readBody, (context) => {
    const body = context.get('body');
    const caller = callerOf(context, surfaces);
    const refusal = requireScopes(context, scopesOfMessage(body, toolsOf(context, surfaces)), challenge);
    return refusal ?? endpoint.post(context.req.raw, body, caller);
  });
  if ('get' in endpoint) {
    routes.get('/', (context) => endpoint.get(context.req.raw, callerOf(context, surfaces)));
    routes.delete('/', (context) => endpoint.delete(context.req.raw, callerOf(context, surfaces)));
  }
  const refusal = 'get' in endpoint ? onlySessionMethods : onlyPost;
  routes.all('/', (context) => refuse(context, refusal));
  return routes;
}

/** The sender of a request, for MCP. */
function callerOf(context: Context<HttpEnv>, surfaces: Surfaces): McpCaller {
  const principal = context.get('principal');
  const { owner } = principal;
  const { signal } = context.req.raw;
  return { owner, binding: bindingOf(principal), surface: surfaces.sourceOf(principal), signal };
}

/** Our tools that the caller is offered: their scopes differ, and those of other servers all need the same. */
function toolsOf(context: Context<HttpEnv>, surfaces: Surfaces): Surface['tools'] {
  return surfaces.of(context.get('principal')).tools;
}

const onlyPost = wrongMethod(
  'POST',
  'This server has no sessions, so no stream can be opened or ended. Send messages with POST.',
);

const onlySessionMethods = wrongMethod('POST, GET, DELETE', 'MCP uses POST, GET and DELETE here.');
