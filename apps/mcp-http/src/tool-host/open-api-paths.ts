import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { errorResponses } from '../rest/open-api-document.ts';

const toolSchema = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  changes: z.boolean().describe('Whether a call may change something.'),
});

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), tool: z.string() }),
  z.object({ type: z.literal('running'), durationMs: z.number() }),
  z.object({
    type: z.literal('result'),
    isDone: z.boolean().describe('Whether the call was carried out; otherwise nothing was changed by it.'),
    text: z.string(),
    data: z.record(z.string(), z.unknown()),
    media: z.array(z.object({ mediaType: z.string(), data: z.string().describe('In base64.') })),
    run: z.string().nullable().describe('The run to which the call belongs.'),
  }),
]);

const directory: z.ZodType<string | undefined> = z.string().optional().describe('As for POST /execute.');
const security = [{ token: [] }];

/** A call of a tool, as `POST /execute` takes it. */
type ExecuteCall = {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly directory?: string | undefined;
};

/** What `POST /execute` takes. */
export const executeSchema: z.ZodType<ExecuteCall> = z.strictObject({
  tool: z.string().min(1).max(100).describe('The name of a tool, as GET /tools lists it.'),
  arguments: z.record(z.string(), z.unknown()).default({}).describe('As the schema of the tool says.'),
  directory: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .describe('The directory of the project, absolute or relative to the first root; that root when it is missing.'),
});

/** The tools on projects as OpenAPI has them. */
export const toolHostPaths: ZodOpenApiPathsObject = {
  '/tools': {
    get: {
      operationId: 'listTools',
      summary: 'List the tools on a project',
      security,
      requestParams: { query: z.object({ directory }) },
      responses: {
        '200': {
          description: 'The tools of the mode, under our names and under documented ones.',
          content: { 'application/json': { schema: z.object({ tools: z.array(toolSchema) }) } },
        },
        ...errorResponses,
      },
    },
  },
  '/execute': {
    post: {
      operationId: 'executeTool',
      summary: 'Call a tool on a project',
      security,
      requestBody: { required: true, content: { 'application/json': { schema: executeSchema } } },
      responses: {
        '200': {
          description: 'Lines of JSON: that the call has begun, that it goes on, and at last what came of it.',
          content: { 'application/x-ndjson': { schema: lineSchema } },
        },
        ...errorResponses,
      },
    },
  },
  '/execute/{run}': {
    delete: {
      operationId: 'endRun',
      summary: 'End a run, so that it can be undone',
      security,
      requestParams: { path: z.object({ run: z.string() }) },
      responses: { '204': { description: 'It has ended.' }, ...errorResponses },
    },
  },
};
