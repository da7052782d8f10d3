import type { Clock } from '@gemini-mcp/core';
import type { Scope } from '@gemini-mcp/mcp/internal/declarations';
import type { ProjectToolService, Reach } from '@gemini-mcp/server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import type { Principal } from '../access/principal.ts';
import type { HttpEnv } from '../http-env.ts';
import type { CallCounts } from '../operation/readiness.ts';
import { type HttpRefusal, refuse, wrongMethod } from '../refusal.ts';
import { errorResponses } from './open-api-document.ts';

export type ToolRoutesOptions = {
  readonly clock: Clock;
  readonly host: Pick<LazyProjectTools, 'get'>;
  readonly reachOf: (principal: Principal) => Reach;
  /** The refusal if the token does not allow the request, otherwise null. */
  readonly requireScopes: (context: Context<HttpEnv>, needed: readonly Scope[]) => Response | null;
  readonly readBody: MiddlewareHandler<HttpEnv>;
  /** Where calls run, so that they end with the server. */
  readonly calls: Pick<CallCounts, 'run'>;
};

const needed: readonly Scope[] = ['gemini:files', 'gemini:tools'];

/** The tools on projects, to be mounted after `authenticate`: `GET /tools` lists them, `POST /execute` calls one, `DELETE /execute/<run>` ends a run. */
export function createToolRoutes(options: ToolRoutesOptions): Readonly<Record<string, Hono<HttpEnv>>> {
  const list = new Hono<HttpEnv>();
  list.get('/', (context) => answerList(context, options));
  list.all('*', (context) => refuse(context, onlyGet));
  const execute = new Hono<HttpEnv>();
  execute.post('/', options.readBody, (context) => answerCall(context, options));
  execute.delete('/:run', (context) => answerEnd(context, options));
  execute.all('*', (context) => refuse(context, onlyPost));
  return { '/tools': list, '/execute': execute };
}

async function answerList(
  context: Context<HttpEnv>,
  { host: late, reachOf, requireScopes }: ToolRoutesOptions,
): Promise<Response> {
  const refused = requireScopes(context, needed);
  if (refused !== null) {
    return refused;
  }
  const host = await late.get();
  const principal = context.get('principal');
  const place = host?.placeOf(reachOf(principal), context.req.query('directory') ?? null) ?? null;
  if (host === null || place === null) {
    return refuse(context, host === null ? isOff : noFiles);
  }
  const tools = await host.tools.list({ ...place, owner: principal.owner }, context.req.raw.signal);
  if (!tools.ok) {
    return refuse(context, { status: 400, code: tools.refusal.code, message: tools.refusal.message });
  }
  return context.json({ tools: tools.value }, 200, notToBeKept);
}

async function answerCall(
  context: Context<HttpEnv>,
  { clock, calls, host: late, reachOf, requireScopes }: ToolRoutesOptions,
): Promise<Response> {
  const refused = requireScopes(context, needed);
  if (refused !== null) {
    return refused;
  }
  const parsed = executeSchema.safeParse(context.get('body'));
  if (!parsed.success) {
    const message = `The body is not a call: ${z.prettifyError(parsed.error)}`;
    return refuse(context, { status: 400, code: 'invalid-arguments', message });
  }
  const host = await late.get();
  const principal = context.get('principal');
  const { tool, arguments: args, directory = null } = parsed.data;
  const place = host?.placeOf(reachOf(principal), directory) ?? null;
  if (host === null || place === null) {
    return refuse(context, host === null ? isOff : noFiles);
  }
  const call = { ...place, owner: principal.owner, tool, args };
  const work = (gone: AbortSignal): Promise<CallLine> =>
    calls.run(
      async (signal) => lineOf(await host.tools.execute(call, signal)),
      AbortSignal.any([gone, context.req.raw.signal]),
    );
  return context.body(streamLines({ clock, tool, work }), 200, {
    ...notToBeKept,
    'Content-Type': 'application/x-ndjson; charset=utf-8',
    'X-Accel-Buffering': 'no',
  });
}

async function answerEnd(
  context: Context<HttpEnv>,
  { host: late, requireScopes }: ToolRoutesOptions,
): Promise<Response> {
  const refused = requireScopes(context, needed);
  if (refused !== null) {
    return refused;
  }
  const host = await late.get();
  const runId = context.req.param('run') ?? '';
  const wasThere = (await host?.tools.end({ owner: context.get('principal').owner, runId })) ?? false;
  return wasThere ? context.body(null, 204) : refuse(context, unknownRun);
}

type ServedResult = Awaited<ReturnType<ProjectToolService['tools']['execute']>>;

function lineOf({ text, data, media = [], isDone, runId }: ServedResult): CallLine {
  const encoded = media.map(({ mediaType, bytes }) => ({ mediaType, data: Buffer.from(bytes).toString('base64') }));
  return { type: 'result', isDone, text, data, media: encoded, run: runId };
}

const notToBeKept = { 'Cache-Control': 'no-store' } as const;

const isOff: HttpRefusal = {
  status: 403,
  code: 'not-allowed',
  message: 'Work on projects is turned off on this server. Its operator can turn it on with GEMINI_MCP_AGENT.',
};

const noFiles: HttpRefusal = {
  status: 403,
  code: 'not-allowed',
  message:
    "No directory is available for work: the server's operator can provide one with GEMINI_MCP_ROOTS, or for this principal.",
};

const unknownRun: HttpRefusal = {
  status: 404,
  code: 'unknown-run',
  message: 'None of your current runs has this id: it has ended, or never existed.',
};

const onlyGet = wrongMethod('GET', 'This address is read-only: send GET.');

const onlyPost = wrongMethod(
  'POST',
  'Call a tool with POST, with its name and arguments as a JSON object in the body.',
);

/** The project tools, opened on first use. */
export class LazyProjectTools {
  readonly #open: () => Promise<ProjectToolService | null>;
  #opened: Promise<ProjectToolService | null> | null = null;

  constructor(open: () => Promise<ProjectToolService | null>) {
    this.#open = open;
  }

  /** Null if work on projects is off. */
  get(): Promise<ProjectToolService | null> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  /** Ends every workspace, if any. */
  async close(): Promise<void> {
    const host = await this.#opened;
    await host?.tools.close();
  }
}

/** Proxies and clients give up on a connection that is silent for 30 s or 60 s. */
const aliveMs = 5_000;

/** The reports of a call, one line of JSON each. */
type CallLine =
  | { readonly type: 'started'; readonly tool: string }
  | { readonly type: 'running'; readonly durationMs: number }
  | ({ readonly type: 'result' } & Readonly<Record<string, unknown>>);

type LineStreamOptions = {
  readonly clock: Clock;
  readonly tool: string;
  /** Resolves to the last line. Never rejects. `signal` is aborted when the reader has disconnected. */
  readonly work: (signal: AbortSignal) => Promise<CallLine>;
};

/** Lines for one reader: the beginning of the call, every five seconds that it still runs, and finally its result. */
function streamLines({ clock, tool, work }: LineStreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const gone = new AbortController();
  const ended = new AbortController();
  const startedAtMs = clock.now();
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const tell = (line: CallLine): void => {
        if (!gone.signal.aborted) {
          controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
        }
      };
      tell({ type: 'started', tool });
      void tellAlive(
        { clock, tell: () => tell({ type: 'running', durationMs: clock.now() - startedAtMs }) },
        ended.signal,
      );
      void work(gone.signal).then((last) => {
        ended.abort();
        tell(last);
        if (!gone.signal.aborted) {
          controller.close();
        }
      });
    },
    cancel: () => {
      ended.abort();
      gone.abort();
    },
  });
}

async function tellAlive(
  { clock, tell }: { readonly clock: Clock; readonly tell: () => void },
  signal: AbortSignal,
): Promise<void> {
  const sleep = (): Promise<boolean> =>
    clock.sleep(aliveMs, signal).then(
      () => !signal.aborted,
      () => false,
    );
  while (await sleep()) {
    tell();
  }
}

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
    isDone: z.boolean().describe('Whether the call was executed; otherwise it changed nothing.'),
    text: z.string(),
    data: z.record(z.string(), z.unknown()),
    media: z.array(z.object({ mediaType: z.string(), data: z.string().describe('In base64.') })),
    run: z.string().nullable().describe('The run of the call.'),
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

/** The body of `POST /execute`. */
const executeSchema: z.ZodType<ExecuteCall> = z.strictObject({
  tool: z.string().min(1).max(100).describe('The name of a tool, as GET /tools lists it.'),
  arguments: z.record(z.string(), z.unknown()).default({}).describe('By the schema of the tool.'),
  directory: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .describe('The directory of the project, absolute or relative to the first root. Default: that root.'),
});

/** The tools on projects as OpenAPI has them. */
export const projectToolPaths: ZodOpenApiPathsObject = {
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
          description: 'Lines of JSON: the beginning of the call, that it still runs, and finally its result.',
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
