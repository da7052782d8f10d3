import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import type { HttpEnv } from '../../http-env.ts';
import { protectedResourceMetadata } from './protected-resource.ts';

const base = '/.well-known/oauth-protected-resource';
const issuer = 'https://login.example';

async function ask(audience: string | null, path: string): Promise<Response> {
  const app = new Hono<HttpEnv & { Bindings: HttpBindings }>();
  app.get('*', protectedResourceMetadata(audience === null ? null : { issuer, audience }));
  return app.request(path);
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
  expect((await ask(audience, path)).status).toBe(status);
});

it('describes the resource, its issuer and its scopes', async () => {
  expect(await (await ask('https://a.example/mcp', `${base}/mcp`)).json()).toEqual({
    resource: 'https://a.example/mcp',
    authorization_servers: [issuer],
    scopes_supported: ['query', 'chat', 'search', 'files', 'agent', 'tools', 'servers'].map(
      (scope) => `gemini:${scope}`,
    ),
    bearer_methods_supported: ['header'],
    resource_name: 'Gemini MCP server',
  });
});
