import { loopHeader } from '@gemini-mcp/server';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { rejectLoops, rejectSelfRequests } from '../create-service.ts';
import type { HttpEnv } from '../http-env.ts';

/** Sends a request to a server with one valid token. */
async function ask(headers: Record<string, string>, hasServers: boolean): Promise<{ status: number; said: unknown }> {
  const app = new Hono<HttpEnv>();
  app.use('/mcp', rejectSelfRequests({ id: 'own' }));
  app.use('/mcp', (context, next) =>
    context.req.header('authorization') === 'Bearer good'
      ? next()
      : Promise.resolve(context.json({ served: false }, 401)),
  );
  app.use('/mcp', rejectLoops({ isThere: async () => hasServers }));
  app.post('/mcp', (context) => context.json({ served: true }));
  const response = await app.request('/mcp', { method: 'POST', headers });
  return { status: response.status, said: await response.json() };
}

const token = { authorization: 'Bearer good' };

it('serves clients, and also servers with upstreams if it offers none', async () => {
  expect(await ask(token, true)).toMatchObject({ status: 200 });
  expect(await ask({ ...token, [loopHeader]: 'other' }, false)).toMatchObject({ status: 200 });
});

it('HUB-51: refuses itself, with and without a token, and servers with upstreams if it offers its own', async () => {
  for (const headers of [{}, token, { authorization: 'Bearer wrong' }]) {
    expect(await ask({ ...headers, [loopHeader]: 'own' }, false)).toMatchObject({
      status: 508,
      said: { error: { data: { reason: 'own-upstream' } } },
    });
  }
  expect(await ask({ ...token, [loopHeader]: 'other' }, true)).toMatchObject({
    status: 508,
    said: { error: { data: { reason: 'upstream-loop' } } },
  });
});

it.each(['other', '', 'OWN', 'own,other', 'x'.repeat(10_000)])(
  'HUB-61: reveals nothing to a stranger through the header: %.10s',
  async (id) => {
    for (const hasServers of [true, false]) {
      expect(await ask({ [loopHeader]: id }, hasServers)).toEqual(await ask({}, hasServers));
    }
  },
);
