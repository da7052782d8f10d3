import { createServer } from 'node:http';
import { cliAnswer } from '@gemini-mcp/fake-gemini';
import { text } from '@gemini-mcp/port-contracts/offline-api';
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthorizationServer, startAuthorizationServer } from '../access/testing/authorization-server.ts';
import { listenOnLoopback } from '../access/testing/listen-on-loopback.ts';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup } from './http-setup.ts';
import { McpHttpClient } from './mcp-http-client.ts';

let authorizationServer: AuthorizationServer;
let setup: HttpSetup;
let server: HttpServerProcess;
let audience: string;

/** Tokens name the server by its address, which must be known before the server starts. */
async function freePort(): Promise<number> {
  const { port, close } = await listenOnLoopback(createServer());
  await close();
  return port;
}

async function start(created: HttpSetup): Promise<void> {
  setup = created;
  const port = await freePort();
  audience = `http://127.0.0.1:${port}/mcp`;
  server = await setup
    .spawn({
      GEMINI_MCP_PORT: String(port),
      GEMINI_MCP_OAUTH_ISSUER: authorizationServer.issuer,
      GEMINI_MCP_OAUTH_AUDIENCE: audience,
    })
    .ready();
}

/** A token as the authorization server issues it. */
function issue(scope: string, resource = audience): Promise<string> {
  return authorizationServer.requestToken(`${authorizationServer.issuer}/token`, { resource, scope });
}

/** A token with the authorization server's signature, but a subject and an end that it would not issue. */
function sign(claims: JWTPayload, ttlSeconds = 300): Promise<string> {
  const exp = Math.floor(Date.now() / 1_000) + ttlSeconds;
  return authorizationServer.sign({ aud: audience, scope: 'gemini:chat', exp, ...claims });
}

function clientWith(token: string | null): McpHttpClient {
  return new McpHttpClient({ origin: server.origin, token });
}

function rest(path: string, token: string, body: object): Promise<Response> {
  return fetch(`${server.origin}/api/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

beforeAll(async () => {
  authorizationServer = await startAuthorizationServer();
});

afterAll(() => authorizationServer.close());

describe('the built HTTP server as a resource server of a real authorization server', () => {
  beforeAll(async () => {
    const created = await HttpSetup.create();
    await created.playCli(cliAnswer('ok'));
    await start(created);
  });

  afterAll(() => setup.dispose());

  it('a client of the SDK that knows only its address discovers the issuer, gets a token, and is let in', async () => {
    const { issuer: expectedIssuer, client: known } = authorizationServer;
    const credentials = { clientId: known.id, clientSecret: known.secret, expectedIssuer };
    // For this grant, the SDK requests its user's scopes, not those of the challenge.
    const authProvider = new ClientCredentialsProvider({ ...credentials, scope: 'gemini:query gemini:chat' });
    const client = new Client({ name: 'e2e', version: '1.0.0' });
    const asked: string[] = [];
    const transport = new StreamableHTTPClientTransport(new URL(audience), {
      authProvider,
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        asked.push(`${answer.status} ${new URL(url).pathname}`);
        return answer;
      },
    });
    await client.connect(transport);
    expect(asked.slice(0, 2)).toEqual(['401 /mcp', '200 /.well-known/oauth-protected-resource/mcp']);
    expect(asked).toContain('200 /token');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('gemini_query');
    const answer = await client.callTool({ name: 'geminiChat', arguments: { prompt: 'x' } });
    expect(JSON.stringify(answer.content)).toContain('ok');
    // The same token works for REST.
    const token = authProvider.tokens()?.access_token ?? '';
    expect((await rest('gemini-chat', token, { prompt: 'x' })).status).toBe(200);
    await client.close();
  });

  it('a principal is the subject of its token: another token of the same subject works, and no one else’s', async () => {
    const { meta } = await clientWith(await sign({ sub: 'ann' })).call('chat', { prompt: 'one' });
    const sessionId = String(meta['sessionId']);
    const reply = async (claims: JWTPayload) =>
      clientWith(await sign(claims)).call('chat-reply', { prompt: 'two', sessionId });
    expect(await reply({ sub: 'ann', jti: 'another one' })).toMatchObject({ isError: false });
    const ofAnother = await reply({ sub: 'ben' });
    expect(ofAnother).toMatchObject({ isError: true });
    const unknown = { prompt: 'two', sessionId: '11111111-2222-4333-8444-555555555555' };
    expect(ofAnother).toEqual(await clientWith(await sign({ sub: 'ben' })).call('chat-reply', unknown));
  });
});

describe('a conversation that continues with a token for fewer scopes', () => {
  beforeAll(async () => {
    await start(await HttpSetup.create('api'));
  });

  afterAll(() => setup.dispose());

  it('its earlier directory is not used', async () => {
    setup.api.reply(text('done'));
    const all = clientWith(await issue('gemini:chat gemini:files'));
    const { meta } = await all.call('chat', { prompt: 'one', cwd: '.' });
    const reply = { prompt: 'two', sessionId: String(meta['sessionId']) };
    expect(await clientWith(await issue('gemini:chat')).call('chat-reply', reply)).toMatchObject({ isError: false });
    expect(await all.call('chat-reply', reply)).toMatchObject({ isError: false });
    const offered = setup.api.requests.map(({ functionNames }) =>
      functionNames.some((name) => name.endsWith('view_file')),
    );
    expect(offered).toEqual([true, false, true]);
  });
});
