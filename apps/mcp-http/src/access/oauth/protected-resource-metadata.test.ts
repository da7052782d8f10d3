import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import type { HttpEnv } from '../../http-env.ts';
import { protectedResourceMetadata } from './protected-resource.ts';

const base = '/.well-known/oauth-protected-resource';
const issuer = 'https://login.example';

async function statusOf(audience: string | null, path: string): Promise<number> {
  const app = new Hono<HttpEnv & { Bindings: HttpBindings }>();
  app.get('*', protectedResourceMetadata(audience === null ? null : { issuer, audience }));
  return (await app.request(path)).status;
}

it.each([
  ['https://a.example/mcp', base, 200],
  ['https://a.example/mcp', `${base}/mcp`, 200],
  ['https://a.example/mcp', `${base}/other`, 404],
  ['https://a.example/gemini/mcp', `${base}/gemini/mcp`, 200],
  ['https://a.example/gemini/mcp', `${base}/mcp`, 404],
  ['https://a.example', base, 200],
  [null, base, 404],
  [null, `${base}/mcp`, 404],
])('for the resource %s, %s is %i', async (audience, path, status) => {
  expect(await statusOf(audience, path)).toBe(status);
});
