import type { LegacySseEndpoint } from '@gemini-mcp/mcp/http';
import { Hono } from 'hono';
import { requireScopes } from '../access/require-scopes.ts';
import { scopesOfMessage } from '../access/scopes-of-message.ts';
import type { HttpEnv } from '../http-env.ts';
import { refuse, wrongMethod } from '../refusal.ts';
import { callerOf, type McpRouteParts, toolsOf } from './mcp-routes.ts';

/** `/sse`: the stream on which a client of the first transport of MCP over HTTP gets its answers. */
export function legacyStreamRoutes(endpoint: LegacySseEndpoint, { surfaces }: McpRouteParts): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  routes.get('/', (context) => endpoint.get(context.req.raw, callerOf(context, surfaces)));
  // Clients that try the newer transport first know by this answer that it is the older one which is spoken here.
  routes.all('/', (context) => refuse(context, onlyGet));
  return routes;
}

/** `/messages`: where such a client sends its messages. */
export function legacyMessageRoutes(
  endpoint: LegacySseEndpoint,
  { surfaces, challenge, readBody }: McpRouteParts,
): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  routes.post('/', readBody, (context) => {
    const body = context.get('body');
    const caller = callerOf(context, surfaces);
    const refusal = requireScopes(context, scopesOfMessage(body, toolsOf(context, surfaces)), challenge);
    return refusal ?? endpoint.post(context.req.raw, body, caller);
  });
  routes.all('/', (context) => refuse(context, onlyPost));
  return routes;
}

const onlyGet = wrongMethod(
  'GET',
  'Open the stream with GET; it says where messages go. The newer transport of MCP is spoken at /mcp.',
);

const onlyPost = wrongMethod(
  'POST',
  'Messages are sent here with POST, to the address that the stream of /sse began with.',
);
