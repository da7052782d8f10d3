import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { accessOptions, knownToken } from '../testing/access-options.ts';
import { type AccessServer, startAccessServer } from '../testing/access-server.ts';
import { type AuthorizationServer, startAuthorizationServer } from '../testing/authorization-server.ts';
import { OAuthVerifier } from './oauth-verifier.ts';

let authorizationServer: AuthorizationServer;
let server: AccessServer;
let audience: string;

beforeAll(async () => {
  authorizationServer = await startAuthorizationServer();
  const { issuer } = authorizationServer;
  server = await startAccessServer((port) => {
    audience = `http://127.0.0.1:${port}/mcp`;
    return { ...accessOptions(), oauth: new OAuthVerifier({ issuer, audience }) };
  });
});

afterAll(async () => {
  await server.close();
  await authorizationServer.close();
});

const query = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'gemini_query', arguments: { prompt: 'x' } },
};

function call(token: string | null, body: object = query): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', ...(token !== null && { Authorization: `Bearer ${token}` }) };
  return fetch(audience, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** From the refusal of a call without a token to where tokens are to be had, as MCP clients find it. */
async function discover(): Promise<{
  readonly resource: string;
  readonly scope: string;
  readonly tokenEndpoint: string;
}> {
  const refusal = await call(null);
  expect(refusal.status).toBe(401);
  const challenge = refusal.headers.get('WWW-Authenticate') ?? '';
  const [, metadataUrl = '', scope = ''] =
    /^Bearer resource_metadata="([^"]+)", scope="([^"]+)"$/.exec(challenge) ?? [];
  const { resource, authorization_servers } = z
    .object({ resource: z.string(), authorization_servers: z.tuple([z.string()]) })
    .parse(await (await fetch(metadataUrl)).json());
  const metadata = await fetch(`${authorization_servers[0]}/.well-known/oauth-authorization-server`);
  const { token_endpoint } = z
    .object({ issuer: z.literal(authorization_servers[0]), token_endpoint: z.string() })
    .parse(metadata.ok ? await metadata.json() : await openIdConfiguration(authorization_servers[0]));
  return { resource, scope, tokenEndpoint: token_endpoint };
}

async function openIdConfiguration(issuer: string): Promise<unknown> {
  return (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
}

async function tokenWith(changes: { readonly resource?: string; readonly scope?: string }): Promise<string> {
  const { tokenEndpoint, ...request } = await discover();
  return authorizationServer.requestToken(tokenEndpoint, { ...request, ...changes });
}

describe('with an authorization server', () => {
  it('tells a client without a token where to get one, and takes that', async () => {
    const { resource, scope, tokenEndpoint } = await discover();
    expect(resource).toBe(audience);
    expect(scope).toBe('gemini:query gemini:chat gemini:search gemini:files gemini:agent gemini:tools gemini:servers');
    const token = await authorizationServer.requestToken(tokenEndpoint, { resource, scope });
    const answer = await call(token);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ name: 'oauth:agent' });
  });

  it('refuses a token for another server', async () => {
    const answer = await call(await tokenWith({ resource: 'https://other.example.com/mcp' }));
    expect(answer.status).toBe(401);
    expect(answer.headers.get('WWW-Authenticate')).toContain(', error="invalid_token", scope="');
    expect(await answer.json()).toMatchObject({ error: { data: { reason: 'token-invalid' } } });
  });

  it('refuses an expired token, and says that it has expired', async () => {
    const endedSeconds = Math.floor(Date.now() / 1_000) - 60;
    const answer = await call(
      await authorizationServer.sign({ aud: audience, scope: 'gemini:query', exp: endedSeconds }),
    );
    expect(answer.status).toBe(401);
    expect(answer.headers.get('WWW-Authenticate')).toContain('error="invalid_token"');
    expect(await answer.json()).toMatchObject({ error: { data: { reason: 'token-expired' } } });
  });

  it('HTTP-21: refuses a token without the scope of a call with 403, and names the scopes that are needed', async () => {
    const token = await tokenWith({ scope: 'gemini:query' });
    expect((await call(token)).status).toBe(200);
    const answer = await call(token, { ...query, params: { name: 'gemini_query', arguments: { files: ['a'] } } });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('WWW-Authenticate')).toBe(
      `Bearer resource_metadata="${new URL(audience).origin}/.well-known/oauth-protected-resource/mcp", ` +
        'error="insufficient_scope", scope="gemini:query gemini:files"',
    );
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { data: { reason: 'insufficient-scope' } } });
    // As a client goes on from there.
    const wider = await tokenWith({ scope: 'gemini:query gemini:files' });
    expect((await call(wider, { ...query, params: { name: 'gemini_context' } })).status).toBe(200);
  });

  it('takes the tokens of the operator as well', async () => {
    expect(await (await call(knownToken)).json()).toEqual({ name: 'local' });
  });

  it('describes itself at both addresses, to anybody', async () => {
    const { origin } = new URL(audience);
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
      const answer = await fetch(`${origin}${path}`);
      expect(answer.headers.get('Content-Type')).toBe('application/json');
      expect(await answer.json()).toEqual({
        resource: audience,
        authorization_servers: [authorizationServer.issuer],
        scopes_supported: [
          'gemini:query',
          'gemini:chat',
          'gemini:search',
          'gemini:files',
          'gemini:agent',
          'gemini:tools',
          'gemini:servers',
        ],
        bearer_methods_supported: ['header'],
        resource_name: 'Gemini MCP server',
      });
    }
  });
});

describe('without an authorization server', () => {
  it('has no metadata', async () => {
    const plain = await startAccessServer(() => accessOptions());
    const answer = await fetch(`http://127.0.0.1:${plain.port}/.well-known/oauth-protected-resource/mcp`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: 'no-authorization-server' } });
    await plain.close();
  });
});

describe('with an authorization server that cannot be reached', () => {
  it('says 503 and not 401, and when to come back', async () => {
    const gone = await startAccessServer((port) => {
      const oauth = new OAuthVerifier({
        issuer: authorizationServer.issuer,
        audience: `http://127.0.0.1:${port}/mcp`,
        fetch: () => Promise.reject(new TypeError('fetch failed')),
      });
      return { ...accessOptions(), oauth };
    });
    const token = await authorizationServer.sign({ aud: `http://127.0.0.1:${gone.port}/mcp`, exp: 4_000_000_000 });
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(`http://127.0.0.1:${gone.port}/mcp`, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('Retry-After')).toBe('10');
    expect(answer.headers.get('WWW-Authenticate')).toBeNull();
    expect(await answer.json()).toMatchObject({ error: { data: { reason: 'issuer-unavailable' } } });
    await gone.close();
  });
});
