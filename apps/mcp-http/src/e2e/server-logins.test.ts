import { AuthorizationServer, LoginBrowser, ProtectedServer } from '@gemini-mcp/fake-gemini/login-servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup } from './http-setup.ts';
import { type PrincipalToWrite, tokenOf } from './principals.ts';

describe('logins of principals to other servers', () => {
  let setup: HttpSetup;
  let issuer: AuthorizationServer;
  let tools: ProtectedServer;
  let server: HttpServerProcess;

  beforeEach(async () => {
    setup = await HttpSetup.create('api');
    issuer = new AuthorizationServer();
    await issuer.listen();
    tools = new ProtectedServer({ issuer });
    await tools.listen();
    const principals: readonly PrincipalToWrite[] = [
      { name: 'alice', scopes: ['gemini:servers'] },
      { name: 'bob', scopes: ['gemini:servers'] },
      { name: 'guest', scopes: ['gemini:query'] },
    ];
    const servers = await setup.writeServers({ tools: { url: tools.url } });
    server = await setup.startFor(principals, { ...servers, GEMINI_MCP_OFFER_SERVERS: 'all' });
  });

  afterEach(async () => {
    await tools.close();
    await issuer.close();
    await setup.dispose();
  });

  type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

  async function ask(name: string, path: string, method = 'GET', body?: object): Promise<Answer> {
    const response = await fetch(`${server.origin}/api/servers${path}`, {
      method,
      headers: { Authorization: `Bearer ${tokenOf(name)}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    return { status: response.status, body: { ...(typeof answer === 'object' && answer) } };
  }

  async function call(name: string): Promise<number> {
    return (await ask(name, '/tools/tools/work', 'POST', {})).status;
  }

  it('begin with a link, end with the address that the browser was redirected to, and belong to that principal only', async () => {
    const advice = 'Log in: POST /api/servers/tools/login, with {}, and open the link.';
    const unavailable = await ask('alice', '/tools/tools/work', 'POST', {});
    expect(unavailable).toMatchObject({ status: 503, body: { error: { message: expect.stringContaining(advice) } } });
    expect(unavailable.body).not.toHaveProperty('error.retryAfterMs');
    expect((await ask('alice', '')).body).toMatchObject({ servers: [{ advice }] });
    const { status, body } = await ask('alice', '/tools/login', 'POST', {});
    expect([status, body['type']]).toEqual([200, 'link']);
    expect((await ask('alice', '/tools/login', 'POST', {})).body).toEqual(body);
    const link = new URL(String(body['url']));
    const address = await new LoginBrowser().open(link.href, link.searchParams.get('redirect_uri') ?? '');
    const foreign = { status: 409, body: { error: { code: 'login-not-awaited' } } };
    expect(await ask('bob', '/tools/login', 'POST', { address })).toMatchObject(foreign);
    expect(await ask('alice', '/tools/login', 'POST', { address: 'https://evil.example/' })).toMatchObject(foreign);
    expect(await ask('alice', '/tools/login', 'POST', { address })).toMatchObject({
      status: 200,
      body: { type: 'logged-in', issuer: issuer.issuer },
    });
    await expect.poll(() => call('alice')).toBe(200);
    expect(await call('bob')).not.toBe(200);
    expect((await ask('bob', '/tools/login')).body).toEqual({ type: 'none' });
    expect((await ask('alice', '/tools/login')).body).toMatchObject({ type: 'logged-in' });
    expect((await ask('alice', '/tools/login', 'DELETE')).body).toEqual({ type: 'logged-out', isRevoked: true });
    expect((await ask('alice', '/tools/login')).body).toEqual({ type: 'none' });
  });

  it('need the scope for servers, and a valid body', async () => {
    expect(await ask('guest', '/tools/login', 'POST', {})).toMatchObject({ status: 403 });
    expect(await ask('alice', '/tools/login', 'POST', { adress: 'x' })).toMatchObject({ status: 400 });
    expect(await ask('alice', '/tools/login', 'PUT', {})).toMatchObject({ status: 405 });
    expect(await ask('alice', '/nothing/login', 'POST', {})).toMatchObject({
      status: 200,
      body: { type: 'failed', detail: expect.stringContaining('No server is named') },
    });
  });
});
