import type { Surface, Tool, ToolInput } from '@gemini-mcp/mcp';
import { chatDelete } from '@gemini-mcp/mcp/internal/declarations';
import {
  createDocument,
  type oas31,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { requiredScopes } from '../access/required-scopes.ts';
import { answerSchema, jobSchema, streamEventSchema, textSchema } from './call-schemas.ts';
import { errorResponses } from './open-api-errors.ts';
import { exampleArguments, exampleEvents } from './open-api-examples.ts';

export type OpenApiOptions = {
  readonly version: string;
  /** Where the paths begin, without a slash at its end; empty for the server that the document comes from. */
  readonly serverUrl: string;
  /** Whose tokens are accepted in addition to those of the server; null where there is none. */
  readonly oauthIssuer: string | null;
  /** What is served besides the tools of the surface; nothing when it is missing. */
  readonly furtherPaths?: ZodOpenApiPathsObject;
};

const description = `Google's Gemini over plain HTTP: each tool of the MCP server as a path that takes its arguments as JSON.

Answers come as JSON when they are complete or, to a request with \`Accept: text/event-stream\`, as events while Gemini writes. \
Concatenated, the content of the stdout events after the last restart event is the answer, and nothing else. The last event is \
always close. A call that fails before there is anything to tell is answered with JSON and its status in either case. Closing the \
connection cancels the call.`;

/** The paths of a surface as OpenAPI has them, from the schemas by which arguments are parsed and answers are typed. */
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
  const { name, title, description: toolDescription, input } = tool;
  const example = exampleArguments[name];
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

/** The same as the tool, in the form in which resources are deleted. */
function deletionOf(tool: Tool, hasOauth: boolean): ZodOpenApiOperationObject {
  const { requestBody: _, ...operation } = operationOf(tool, hasOauth);
  const { input } = tool;
  return { ...operation, operationId: 'deleteSession', ...('shape' in input && { requestParams: { path: input } }) };
}

/** With an id of its own, so that references in the JSON Schema of a tool lead into it and not into the whole document. */
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
    description: 'The answer, or a stream of events. The schema of the stream is that of the data of each event.',
    content: { 'application/json': { schema: bodySchemaOf(name) }, 'text/event-stream': events },
  };
  return name === 'gemini_job' || ('shape' in input && 'background' in input.shape)
    ? { '200': complete, '202': pending }
    : { '200': complete };
}

/** Tools of other people answer with what they return. */
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
