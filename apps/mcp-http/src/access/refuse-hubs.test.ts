import { hubHeader } from '@gemini-mcp/server';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import type { HttpEnv } from '../http-env.ts';
import { refuseHubs } from './refuse-hubs.ts';

async function ask(headers: Record<string, string>, hasServers: boolean): Promise<{ status: number; said: unknown }> {
  const app = new Hono<HttpEnv>();
  app.use('/mcp', refuseHubs({ hubMark: { id: 'own' }, hubSettings: { isThere: async () => hasServers } }));
  app.post('/mcp', (context) => context.json({ served: true }));
  const response = await app.request('/mcp', { method: 'POST', headers });
  return { status: response.status, said: await response.json() };
}

it('serves clients, and hubs where it has no servers of its own to offer', async () => {
  expect(await ask({}, true)).toMatchObject({ status: 200 });
  expect(await ask({ [hubHeader]: 'other' }, false)).toMatchObject({ status: 200 });
});

it('refuses itself, and other hubs where it has such servers: both would ask each other without end', async () => {
  expect(await ask({ [hubHeader]: 'own' }, false)).toMatchObject({
    status: 508,
    said: { error: { data: { reason: 'own-upstream' } } },
  });
  expect(await ask({ [hubHeader]: 'other' }, true)).toMatchObject({
    status: 508,
    said: { error: { data: { reason: 'hub-of-a-hub' } } },
  });
});
