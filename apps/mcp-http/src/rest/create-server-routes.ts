import type { ServersView } from '@gemini-mcp/core/internal';
import type { Tool } from '@gemini-mcp/mcp';
import type { Scope } from '@gemini-mcp/mcp/internal/declarations';
import { type Context, Hono } from 'hono';
import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import type { Principal } from '../access/principal.ts';
import type { HttpEnv } from '../http-env.ts';
import { refuse, wrongMethod } from '../refusal.ts';
import { respondWithProblem } from './answer-with-json.ts';
import { streamEventSchema, textSchema } from './call-schemas.ts';
import { callTool, type RestRoutesOptions } from './create-rest-routes.ts';
import { errorResponses } from './open-api-document.ts';

/** The upstream servers of a principal. */
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
  /** The refusal if the token does not allow the request, otherwise null. */
  readonly refuseWithout: (context: Context<HttpEnv>, needed: readonly Scope[]) => Response | null;
};

const needed: readonly Scope[] = ['gemini:servers'];

/** `GET /` lists the caller's upstream servers; `POST /<server>/tools/<tool>` calls one of their tools. */
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

/** After a pause without retries, connects the server again. */
const retryAfterMs = 5_000;

const unknownTool = {
  code: 'unknown-tool',
  message: 'None of the servers that are offered to you has this tool. GET /api/servers lists them.',
} as const;

const onlyGet = wrongMethod('GET', 'This address is read-only: send GET.');

const onlyPost = wrongMethod('POST', 'Call a tool with POST, with its arguments as a JSON object in the body.');

const argument = z.object({ name: z.string(), required: z.boolean(), description: z.string() });

const tool = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  arguments: z.array(argument.extend({ type: z.string() })),
  withheld: z
    .object({ reason: z.enum(['new', 'changed', 'unreadable']), diff: z.string() })
    .nullable()
    .describe('Why it needs approval before use, with the differences from the approved version.'),
  setAside: z.string().nullable().describe('Why Gemini cannot use it; null for a usable tool.'),
  flags: z.array(z.string()).describe('Warnings for the user.'),
});

const server = z.object({
  name: z.string(),
  transport: z.enum(['stdio', 'http', 'sse', 'either']).nullable(),
  description: z.string().nullable(),
  state: z.enum(['disabled', 'disconnected', 'connecting', 'connected', 'awaiting-login', 'failed']),
  problem: z.string().nullable().describe('The last error.'),
  advice: z.string().nullable().describe('The remedy.'),
  trusted: z.boolean(),
  shared: z.boolean(),
  listedAt: z.string().nullable().describe('When its lists were read; null if never.'),
  tools: z.array(tool),
  prompts: z.array(
    z.object({
      name: z.string(),
      title: z.string().nullable(),
      description: z.string(),
      arguments: z.array(argument),
    }),
  ),
  resources: z.array(
    z.object({
      uri: z.string(),
      template: z.boolean(),
      name: z.string(),
      description: z.string(),
      mediaType: z.string().nullable(),
    }),
  ),
  leftOut: z.array(z.string()),
});

/** The caller's upstream servers, as reported. */
const serversSchema: z.ZodType = z.object({ servers: z.array(server), problems: z.array(z.string()) });

const security = [{ token: [] }];

/** The other servers as OpenAPI has them. */
export const serverPaths: ZodOpenApiPathsObject = {
  '/api/servers': {
    get: {
      operationId: 'listServers',
      summary: 'See your other MCP servers',
      security,
      responses: {
        '200': {
          description: "The state and the offer of each server. Names and descriptions are the servers' own text.",
          content: { 'application/json': { schema: serversSchema } },
        },
        ...errorResponses,
      },
    },
  },
  '/api/servers/{server}/tools/{tool}': {
    post: {
      operationId: 'callServerTool',
      summary: 'Call a tool of another MCP server',
      description:
        'With the names of GET /api/servers, if the operator offers the server. Its text is passed on unchanged.',
      security,
      requestParams: { path: z.object({ server: z.string(), tool: z.string() }) },
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: z.record(z.string(), z.unknown()).describe("The tool's arguments.") },
        },
      },
      responses: {
        '200': {
          description: 'The result, or a stream of events. The schema of the stream describes the data of each event.',
          content: {
            'application/json': { schema: textSchema },
            'text/event-stream': { schema: streamEventSchema },
          },
        },
        ...errorResponses,
      },
    },
  },
};
