import { createServer } from 'node:http';
import {
  LoginBrowser,
  ProtectedServer,
  AuthorizationServer as UpstreamIssuer,
} from '@gemini-mcp/fake-gemini/login-servers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AuthorizationServer, startAuthorizationServer } from '../access/testing/authorization-server.ts';
import { listenOnLoopback } from '../access/testing/listen-on-loopback.ts';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup } from './http-setup.ts';

let setup: HttpSetup;
let ourIssuer: AuthorizationServer;
let upstreamIssuer: UpstreamIssuer;
let tools: ProtectedServer;
let environment: Readonly<Record<string, string>>;

beforeEach(async () => {
  setup = await HttpSetup.create('api');
  ourIssuer = await startAuthorizationServer();
  upstreamIssuer = new UpstreamIssuer();
  await upstreamIssuer.listen();
  tools = new ProtectedServer({ issuer: upstreamIssuer });
  await tools.listen();
  // Tokens name the server by its address, which must be known before the server starts.
  const { port, close } = await listenOnLoopback(createServer());
  await close();
  environment = {
    GEMINI_MCP_PORT: String(port),
    ...(await setup.writeServers({ tools: { url: tools.url } })),
    GEMINI_MCP_OAUTH_ISSUER: ourIssuer.issuer,
    GEMINI_MCP_OAUTH_AUDIENCE: `http://127.0.0.1:${port}/mcp`,
  };
});

afterEach(async () => {
  await setup.dispose();
  await tools.close();
  await upstreamIssuer.close();
  await ourIssuer.close();
});

const mcp = (...words: readonly string[]): HttpServerProcess => setup.spawn(environment, ['mcp', ...words]);

it('a terminal logs in and out for a principal of the issuer, by its subject, and for no other', async () => {
  const server = await setup.spawn({ ...environment, GEMINI_MCP_OFFER_SERVERS: 'all' }).ready();
  const { GEMINI_MCP_OAUTH_AUDIENCE: resource = '' } = environment;
  const agent = await ourIssuer.requestToken(`${ourIssuer.issuer}/token`, { resource, scope: 'gemini:servers' });
  const exp = Math.floor(Date.now() / 1_000) + 300;
  const other = await ourIssuer.sign({ aud: resource, scope: 'gemini:servers', exp, sub: 'Agent' });
  const call = async (token: string): Promise<number> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const place = `${server.origin}/api/servers/tools/tools/work`;
    return (await fetch(place, { method: 'POST', headers, body: '{}' })).status;
  };
  expect(await call(agent)).toBe(503);

  const login = mcp('login', 'tools', '--principal', 'oauth:agent');
  await login.until(() => /^ +http\S+$/m.test(login.stderr));
  await new LoginBrowser().open(/^ +(http\S+)$/m.exec(login.stderr)?.[1] ?? '');
  expect(await login.ended).toMatchObject({ exitCode: 0 });
  expect(login.stdout).toContain('Logged in to tools');
  await expect.poll(() => call(agent), { timeout: 20_000 }).toBe(200);
  expect(await call(other)).not.toBe(200);

  const shown = [mcp('list', 'tools', '--principal', 'oauth:agent'), mcp('list', 'tools', '--principal=oauth:Agent')];
  await Promise.all(shown.map(({ ended }) => ended));
  expect(shown.map(({ stdout }) => stdout)).toEqual([
    expect.stringContaining('tools: connected ('),
    expect.stringContaining('tools: login required ('),
  ]);
  const logout = mcp('logout', 'tools', '--principal', 'oauth:agent');
  expect(await logout.ended).toMatchObject({ exitCode: 0 });
  const wrong = mcp('logout', 'tools', '--principal', 'oauth:');
  expect(await wrong.ended).toMatchObject({ exitCode: 2 });
  expect(wrong.stderr).toContain('a subject has 1 to 255 characters');
});
