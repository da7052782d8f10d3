import type { ServersView } from '@gemini-mcp/core/internal';
import type { Tool } from '@gemini-mcp/mcp';
import type { Scope } from '@gemini-mcp/mcp/internal/declarations';
import { type Context, Hono } from 'hono';
import type { Principal } from '../access/principal.ts';
import type { HttpEnv } from '../http-env.ts';
import { refuse, wrongMethod } from '../refusal.ts';
import { respondWithProblem } from './answer-with-json.ts';
import { callTool, type RestRoutesOptions } from './create-rest-routes.ts';

/** The other servers of a principal. */
type ServersOfPrincipal = {
  readonly readView: (signal: AbortSignal) => Promise<ServersView>;
  /**
   * A tool by the names that the server and its tool have in the settings and lists; null if it is not offered. `unavailable` says why the server
   * has no list of its tools.
   */
  readonly toolOf: (
    server: string,
    tool: string,
    signal: AbortSignal,
  ) => Promise<Tool | { readonly unavailable: string } | null>;
};

export type ServerRoutesOptions = RestRoutesOptions & {
  readonly serversOf: (principal: Principal) => ServersOfPrincipal;
  /** The answer to a request for which the token is not good, null for one for which it is. */
  readonly refuseWithout: (context: Context<HttpEnv>, needed: readonly Scope[]) => Response | null;
};

const needed: readonly Scope[] = ['gemini:servers'];

/** `GET /` tells of the caller's other servers; `POST /<server>/tools/<tool>` calls a tool of one. */
export function createServerRoutes(options: ServerRoutesOptions): Hono<HttpEnv> {
  const { serversOf, refuseWithout } = options;
  const routes = new Hono<HttpEnv>();
  routes.get('/', async (context) => {
    const refused = refuseWithout(context, needed);
    if (refused !== null) {
      return refused;
    }
    const view = await serversOf(context.get('principal')).readView(context.req.raw.signal);
    return context.json(view, 200, { 'Cache-Control': 'no-store' });
  });
  routes.all('/', (context) => refuse(context, onlyGet));
  routes.post('/:server/tools/:tool', async (context) => {
    const refused = refuseWithout(context, needed);
    if (refused !== null) {
      return refused;
    }
    const { server, tool: name } = context.req.param();
    const { signal } = context.req.raw;
    const servers = serversOf(context.get('principal'));
    const tool = await servers.toolOf(server, name, signal);
    if (tool === null) {
      return respondWithProblem(context, { status: 404, problem: unknownTool });
    }
    if ('unavailable' in tool) {
      const viewed = (await servers.readView(signal)).servers.find((each) => each.name === server);
      const message = [tool.unavailable, viewed?.advice].filter(Boolean).join(' ');
      const problem = { code: 'other-server-unavailable', message };
      const isRetried = viewed?.state !== 'awaiting-login';
      return respondWithProblem(context, { status: 503, problem: isRetried ? { ...problem, retryAfterMs } : problem });
    }
    return await callTool({ context, tool, args: context.get('body') }, options);
  });
  routes.all('/:server/tools/:tool', (context) => refuse(context, onlyPost));
  return routes;
}

/** After a pause in which nothing is tried a server is connected again. */
const retryAfterMs = 5_000;

const unknownTool = {
  code: 'unknown-tool',
  message: 'No server that is offered to you has such a tool. GET /api/servers tells which there are.',
} as const;

const onlyGet = wrongMethod('GET', 'This is only to be read: send GET.');

const onlyPost = wrongMethod('POST', 'A tool is called with POST, its arguments as a JSON object in the body.');
