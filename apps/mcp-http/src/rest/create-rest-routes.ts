import type { Clock } from '@gemini-mcp/core';
import type { McpLog, QuestionOutcome, Surface, Tool } from '@gemini-mcp/mcp';
import { cannotAsk, prepareCall } from '@gemini-mcp/mcp/internal';
import { chatDelete } from '@gemini-mcp/mcp/internal/declarations';
import { type Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import type { Principal } from '../access/principal.ts';
import type { HttpEnv } from '../http-env.ts';
import type { CallCounts } from '../operation/readiness.ts';
import { refuse, wrongMethod } from '../refusal.ts';
import { answerWithEvents } from './answer-with-events.ts';
import type { RestCall } from './answer-with-json.ts';
import { answerWithJson, respondWith, respondWithProblem } from './answer-with-json.ts';

export type RestRoutesOptions = {
  readonly surfaceOf: (principal: Principal) => Surface | Promise<Surface>;
  /** The refusal if the token does not allow the call, otherwise null. The arguments are unvalidated. */
  readonly requireScopes: (context: Context<HttpEnv>, tool: Tool, args: unknown) => Response | null;
  readonly clock: Clock;
  readonly log: McpLog;
  /** Where calls run, so that they end with the server. */
  readonly calls: Pick<CallCounts, 'run'>;
};

/**
 * Every tool of the caller's surface with a REST path, as `POST /<path>`, to be mounted after `authenticate` and `readBody`:
 * the tool's arguments as JSON in, JSON or an event stream out. A closed request cancels its call. A conversation is also a
 * resource at `/sessions/<id>`: DELETE calls the tool that deletes a session, if the caller is offered that tool and the
 * token allows it.
 */
export function createRestRoutes(options: RestRoutesOptions): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  routes.all('/:name', async (context) => {
    const { tools } = await options.surfaceOf(context.get('principal'));
    const tool = tools.find(({ restPath }) => restPath === context.req.param('name'));
    if (tool === undefined) {
      return refuseUnknownTool(context, tools);
    }
    const args = context.get('body');
    return context.req.method === 'POST' ? callTool({ context, tool, args }, options) : refuse(context, onlyPost);
  });
  routes.all('/sessions/:id', async (context) => {
    const { tools } = await options.surfaceOf(context.get('principal'));
    const tool = tools.find(({ name }) => name === chatDelete.name);
    if (tool === undefined) {
      return refuseUnknownTool(context, tools);
    }
    const args = { sessionId: context.req.param('id') };
    return context.req.method === 'DELETE' ? callTool({ context, tool, args }, options) : refuse(context, onlyDelete);
  });
  routes.all('*', async (context) => {
    const { tools } = await options.surfaceOf(context.get('principal'));
    return refuseUnknownTool(context, tools);
  });
  return routes;
}

export type Called = {
  readonly context: Context<HttpEnv>;
  readonly tool: Tool;
  /** Unvalidated. */
  readonly args: unknown;
};

/** Calls a tool for the principal of a request, after checking its token. */
export async function callTool({ context, tool, args }: Called, options: RestRoutesOptions): Promise<Response> {
  const { clock, log, calls, requireScopes } = options;
  const { owner } = context.get('principal');
  const refused = requireScopes(context, tool, args);
  if (refused !== null) {
    return refused;
  }
  const prepared = await prepareCall(tool, args, log);
  if (!prepared.isAccepted) {
    return respondWith(context, prepared.refusal);
  }
  const restCall: RestCall = {
    context,
    run: ({ signal: closed, progress }) =>
      calls.run(
        (signal) => prepared.run({ signal, progress, ask: cannotAskOverRest, owner, clientName: null }),
        closed,
      ),
  };
  return prefersEvents(context) ? answerWithEvents(restCall, { clock }) : answerWithJson(restCall);
}

const cannotAskOverRest = async (): Promise<QuestionOutcome> => cannotAsk('transport-cannot');

const onlyPost = wrongMethod('POST', 'Call a tool with POST, with its arguments as a JSON object in the body.');

const onlyDelete = wrongMethod('DELETE', 'Delete a conversation with DELETE. Continue it with the tool chat-reply.');

function refuseUnknownTool(context: Context<HttpEnv>, tools: readonly Tool[]): Response {
  const paths = tools.flatMap(({ restPath }) => (restPath === undefined ? [] : `/api/${restPath}`)).sort();
  const message = `This tool does not exist. Tools: ${paths.join(', ')}. /openapi.json describes them.`;
  return respondWithProblem(context, { status: 404, problem: { code: 'unknown-tool', message, tools: paths } });
}

const json = 'application/json';
const events = 'text/event-stream';

type Range = { readonly type: string; readonly q: number };

/**
 * Whether a request prefers an event stream to JSON: by quality, then by the more specific range, then by order. JSON
 * without a preference, for any type, and if both are refused.
 */
export function prefersEvents(context: Context<HttpEnv>): boolean {
  const match = (ranges: readonly Range[]): string => (compare(ranges) ? events : json);
  return accepts(context, { header: 'Accept', supports: [json, events], default: json, match }) === events;
}

function compare(ranges: readonly Range[]): boolean {
  const ofEvents = bestRange(ranges, events);
  const ofJson = bestRange(ranges, json);
  if (ofEvents === null || ofEvents.q === 0) {
    return false;
  }
  if (ofJson === null || ofEvents.q !== ofJson.q) {
    return ofEvents.q > (ofJson?.q ?? 0);
  }
  return ofEvents.exactness !== ofJson.exactness
    ? ofEvents.exactness > ofJson.exactness
    : ofEvents.place < ofJson.place;
}

/** The most specific range for a type. */
function bestRange(ranges: readonly Range[], type: string) {
  const [best] = ranges
    .map(({ type: range, q }, place) => ({ q, place, exactness: exactnessOf(range.toLowerCase(), type) }))
    .filter(({ exactness }) => exactness > 0)
    .sort((one, other) => other.exactness - one.exactness);
  return best ?? null;
}

function exactnessOf(range: string, type: string): number {
  if (range === type) {
    return 3;
  }
  const [main] = type.split('/');
  if (range === `${main}/*`) {
    return 2;
  }
  return range === '*/*' || range === '*' ? 1 : 0;
}
