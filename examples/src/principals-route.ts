import { SystemClock } from '@gemini-mcp/adapters-node';
import { ChangingSurface, type Tool } from '@gemini-mcp/mcp';
import { createSessionEndpoint } from '@gemini-mcp/mcp/http';
import { Hono } from 'hono';

const offer = (tools: readonly Tool[]) => ({ tools, prompts: [], resources: [] });

/** By token. Each principal has a source of its own. */
const principals = new Map([
  ['token-of-ada', { owner: 'ada', surface: new ChangingSurface(offer([])) }],
  ['token-of-bob', { owner: 'bob', surface: new ChangingSurface(offer([])) }],
]);

/** Offers these tools to one principal and notifies its clients at once. */
export function grant(owner: string, tools: readonly Tool[]): void {
  const principal = [...principals.values()].find((each) => each.owner === owner);
  principal?.surface.replace(offer(tools));
}

export const endpoint = createSessionEndpoint({
  version: '1.0.0',
  introduction: { name: 'office', title: 'Office', instructions: 'The tools that you have been granted.' },
  clock: new SystemClock(),
  log: ({ event, error }) => console.error(event, error),
  maxSessions: 1_000,
  idleMs: 600_000,
});

export const app = new Hono();

app.all('/mcp', async (context) => {
  const [, token = ''] = context.req.header('Authorization')?.split(' ') ?? [];
  const principal = principals.get(token);
  if (principal === undefined) {
    return context.body(null, 401, { 'WWW-Authenticate': 'Bearer' });
  }
  const { owner, surface } = principal;
  const { raw } = context.req;
  const caller = { owner, binding: owner, surface, signal: raw.signal };
  switch (raw.method) {
    case 'GET':
      return endpoint.get(raw, caller);
    case 'DELETE':
      return endpoint.delete(raw, caller);
    default:
      return endpoint.post(raw, await context.req.json().catch(() => null), caller);
  }
});
