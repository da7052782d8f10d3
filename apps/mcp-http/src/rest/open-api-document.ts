import type { Surface, Tool, ToolInput } from '@gemini-mcp/mcp';
import { chatDelete } from '@gemini-mcp/mcp/internal/declarations';
import type { Handler } from 'hono';
import {
  createDocument,
  type oas31,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import type { Principal } from '../access/principal.ts';
import { requiredScopes } from '../access/required-scopes.ts';
import type { HttpEnv } from '../http-env.ts';
import type { StreamEvent } from './call-schemas.ts';
import { answerSchema, errorSchema, jobSchema, streamEventSchema, textSchema } from './call-schemas.ts';

export type OpenApiOptions = {
  readonly version: string;
  /** The base URL of the paths, without a trailing slash; empty for the server that serves the document. */
  readonly serverUrl: string;
  /** The issuer whose tokens are accepted besides the server's own; null without an issuer. */
  readonly oauthIssuer: string | null;
  /** Paths served besides the tools of the surface. Defaults to no further paths. */
  readonly furtherPaths?: ZodOpenApiPathsObject;
};

const description = `Google's Gemini over plain HTTP: each tool of the MCP server as a path that takes its arguments as JSON.

Answers come as JSON when they are complete or, to a request with \`Accept: text/event-stream\`, as events while Gemini writes. \
Concatenated, the content of the stdout events after the last restart event is the answer, and nothing else. The last event is \
always close. A call that fails before its first event is answered with JSON and its status in either case. Closing the \
connection cancels the call.`;

/** The paths of a surface for OpenAPI, from the schemas of arguments and answers. */
export function createOpenApiDocument(surface: Surface, options: OpenApiOptions): oas31.OpenAPIObject {
  const { version, serverUrl, oauthIssuer, furtherPaths = {} } = options;
  const { tools } = surface;
  const hasOauth = oauthIssuer !== null;
  const ofTools = tools
    .flatMap((tool) => (tool.restPath === undefined ? [] : [{ path: `/api/${tool.restPath}`, tool }]))
    .sort((one, other) => (one.path < other.path ? -1 : 1))
    .map(({ path, tool }) => [path, { post: operationOf(tool, hasOauth) }] as const);
  const deleting = tools.find(({ name }) => name === chatDelete.name);
  const paths: ZodOpenApiPathsObject = {
    ...Object.fromEntries(ofTools),
    ...(deleting !== undefined && { '/api/sessions/{sessionId}': { delete: deletionOf(deleting, hasOauth) } }),
    ...furtherPaths,
  };
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Gemini MCP server',
      version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl === '' ? '/' : serverUrl }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token of the server.' },
        ...(oauthIssuer !== null && {
          oauth: {
            type: 'openIdConnect',
            openIdConnectUrl: `${oauthIssuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
          },
        }),
      },
    },
  });
}

function operationOf(tool: Tool, hasOauth: boolean): ZodOpenApiOperationObject {
  const { name, title, description: toolDescription, input, example } = tool;
  const oauth = { oauth: [...requiredScopes(tool, {})] };
  return {
    operationId: name,
    summary: title,
    description: toolDescription,
    security: [{ token: [] }, ...(hasOauth ? [oauth] : [])],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemaOf(name, input), ...(example !== undefined && { example }) } },
    },
    responses: { ...successResponses(tool), ...errorResponses },
  };
}

/** The operation that calls the tool by DELETE on a resource. */
function deletionOf(tool: Tool, hasOauth: boolean): ZodOpenApiOperationObject {
  const { requestBody: _, ...operation } = operationOf(tool, hasOauth);
  const { input } = tool;
  return { ...operation, operationId: 'deleteSession', ...('shape' in input && { requestParams: { path: input } }) };
}

/** With an id of its own, so that references in a tool's JSON Schema resolve within it and not in the whole document. */
function schemaOf(name: string, input: ToolInput) {
  return 'jsonSchema' in input ? { $id: `urn:tool:${name}`, ...input.jsonSchema } : input;
}

function successResponses({ name, input }: Tool): Readonly<Record<`2${string}`, ZodOpenApiResponseObject>> {
  const events = { schema: streamEventSchema, examples: exampleEvents };
  const pending = {
    description: 'The job runs: gemini-job follows it.',
    content: { 'application/json': { schema: jobSchema } },
  };
  const complete = {
    description: 'The answer, or a stream of events. The schema of the stream describes the data of each event.',
    content: { 'application/json': { schema: bodySchemaOf(name) }, 'text/event-stream': events },
  };
  return name === 'gemini_job' || ('shape' in input && 'background' in input.shape)
    ? { '200': complete, '202': pending }
    : { '200': complete };
}

/** Tools of other authors answer with their own results. */
function bodySchemaOf(toolName: string) {
  switch (toolName) {
    case 'gemini_job':
      return jobSchema;
    case 'gemini_query':
    case 'chat':
    case 'chat-reply':
    case 'geminiChat':
    case 'gemini_agent':
    case 'googleSearch':
      return answerSchema;
    default:
      return textSchema;
  }
}

type ServeOpenApiOptions = OpenApiOptions & {
  readonly surfaceOf: (principal: Principal) => Surface | Promise<Surface>;
};

/** Answers with the OpenAPI document of the caller's surface, written once for each surface. Comes after `authenticate`. */
export function serveOpenApi({ surfaceOf, ...options }: ServeOpenApiOptions): Handler<HttpEnv> {
  const documents = new WeakMap<Surface, string>();
  return async (context) => {
    const surface = await surfaceOf(context.get('principal'));
    const document = documents.get(surface) ?? JSON.stringify(createOpenApiDocument(surface, options), null, 2);
    documents.set(surface, document);
    return context.body(document, 200, { 'Content-Type': 'application/json', 'Cache-Control': 'private, no-cache' });
  };
}

/** One event of each kind that a stream may have. */
export const exampleEvents: Readonly<Record<StreamEvent['type'], { readonly value: StreamEvent }>> = {
  stdout: { value: { type: 'stdout', content: 'Because air scatters ' } },
  stderr: {
    value: {
      type: 'stderr',
      content: 'gemini-3.1-pro-preview: the model is overloaded. Falling back to gemini-3.8-flash',
    },
  },
  restart: { value: { type: 'restart', content: 'Asking gemini-3.8-flash, attempt 2' } },
  block: { value: { type: 'block', content: '', block: { type: 'text', text: 'A further part.' } } },
  error: {
    value: {
      type: 'error',
      content: 'Gemini gave no answer: no answer in time. Ask for less at once, or choose a faster model.',
      error: {
        code: 'timeout',
        message: 'Gemini gave no answer: no answer in time. Ask for less at once, or choose a faster model.',
        requestId: '0b2f6d1e-3c55-4b1e-8f0e-1d1f3f0a9c77',
      },
    },
  },
  close: { value: { type: 'close', content: 'Process exited with code 0' } },
};

/** In at least a second; never a date. */
const retryAfter = {
  'Retry-After': { description: 'Seconds until a retry is useful.', schema: { type: 'integer', minimum: 0 } },
} as const;

const challenge = { 'WWW-Authenticate': { description: 'The required token.', schema: { type: 'string' } } } as const;

/** For every path. */
export const errorResponses: Readonly<Record<`${4 | 5}${string}`, ZodOpenApiResponseObject>> = {
  '400': errorResponse('BadRequest', 'The arguments are not accepted, or the body is not JSON.'),
  '401': { ...errorResponse('Unauthorized', 'The token is missing, or not accepted.'), headers: challenge },
  '403': {
    ...errorResponse('Forbidden', 'The token does not allow this, or the server does not.'),
    headers: challenge,
  },
  '404': errorResponse('NotFound', 'The conversation, job or stored answer does not exist.'),
  '413': errorResponse('TooLarge', 'The body, or the request to Gemini, is too large.'),
  '415': errorResponse('UnsupportedMediaType', 'The body is not sent as JSON.'),
  '422': errorResponse('Unprocessable', 'The arguments are well formed, but cannot be used.'),
  '429': {
    ...errorResponse('TooManyRequests', 'A limit of this server or a quota of Google is reached.'),
    headers: retryAfter,
  },
  '500': errorResponse('InternalError', 'A fault of this server.'),
  '502': errorResponse('BadGateway', 'Google or the Gemini CLI did something unexpected.'),
  '503': {
    ...errorResponse('Unavailable', 'Not now: too many calls, no capacity, or no Gemini CLI that works.'),
    headers: retryAfter,
  },
  '504': errorResponse('Timeout', 'No answer in time.'),
};

function errorResponse(id: string, description: string): ZodOpenApiResponseObject {
  return { id, description, content: { 'application/json': { schema: errorSchema } } };
}
