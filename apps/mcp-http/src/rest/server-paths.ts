import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { streamEventSchema, textSchema } from './call-schemas.ts';
import { errorResponses } from './open-api-errors.ts';

const argument = z.object({ name: z.string(), required: z.boolean(), description: z.string() });

const tool = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  arguments: z.array(argument.extend({ type: z.string() })),
  withheld: z
    .object({ reason: z.enum(['new', 'changed', 'unreadable']), diff: z.string() })
    .nullable()
    .describe('Why it is not used before it is approved, with what is not as it was approved.'),
  setAside: z.string().nullable().describe('Why Gemini cannot have it; null for a tool that it can.'),
  flags: z.array(z.string()).describe('What a user should look at.'),
});

const server = z.object({
  name: z.string(),
  transport: z.enum(['stdio', 'http', 'sse', 'either']).nullable(),
  description: z.string().nullable(),
  state: z.enum(['disabled', 'disconnected', 'connecting', 'connected', 'awaiting-login', 'failed']),
  problem: z.string().nullable().describe('What went wrong the last time.'),
  advice: z.string().nullable().describe('What there is to do.'),
  trusted: z.boolean(),
  shared: z.boolean(),
  listedAt: z.string().nullable().describe('When its lists were read; null where they never were.'),
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

/** The other servers of the caller, as they are told of. */
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
          description: 'How each server is and what it offers. Names and descriptions are the words of the servers.',
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
        'With the names of GET /api/servers, where the operator offers the server. Its words come as they are.',
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
          description: 'The result, or a stream of events. The schema of the stream is that of the data of each event.',
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
