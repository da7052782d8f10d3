import { realServer } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup } from './http-setup.ts';
import type { McpHttpClient } from './mcp-http-client.ts';
import { clientOf, type PrincipalToWrite, tokenOf } from './principals.ts';

describe('other servers over HTTP', () => {
  let setup: HttpSetup;

  beforeEach(async () => {
    setup = await HttpSetup.create('api');
  });

  afterEach(() => setup.dispose());

  async function start(): Promise<HttpServerProcess> {
    const principals: readonly PrincipalToWrite[] = [
      { name: 'alice', scopes: ['gemini:query', 'gemini:servers'] },
      { name: 'bob', scopes: ['gemini:servers'] },
      { name: 'guest', scopes: ['gemini:query'] },
    ];
    const servers = await setup.writeServers({ everything: realServer('everything') });
    return await setup.startFor(principals, { ...servers, GEMINI_MCP_OFFER_SERVERS: 'all' });
  }

  async function toolsOf(client: McpHttpClient): Promise<readonly string[]> {
    const { result } = await client.request('tools/list');
    const tools = result?.['tools'];
    return Array.isArray(tools) ? tools.map(({ name }: { name: string }) => name) : [];
  }

  async function untilListed(client: McpHttpClient, name: string): Promise<readonly string[]> {
    const tools = await toolsOf(client);
    return tools.includes(name) ? tools : await untilListed(client, name);
  }

  const rest = async (server: HttpServerProcess, name: string, path: string, body?: object) => {
    const response = await fetch(`${server.origin}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${tokenOf(name)}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      body: await response.json(),
      challenge: response.headers.get('WWW-Authenticate'),
    };
  };

  it('(HUB-47) are offered to permitted principals, each its own, and hidden from others', async () => {
    const server = await start();
    const guest = clientOf('guest', server);
    await guest.initialize();
    expect((await toolsOf(guest)).filter((name) => name.includes('__'))).toEqual([]);
    const refused = await guest.send({
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'everything__echo', arguments: {} } },
    });
    expect(refused.status).toBe(403);
    expect(refused.headers['www-authenticate']).toContain('gemini:servers');
    expect(server.stderr).not.toContain('other-server');

    for (const name of ['alice', 'bob']) {
      const client = clientOf(name, server);
      await client.initialize();
      await untilListed(client, 'everything__get-sum');
      expect((await client.call('everything__get-sum', { a: 2, b: 3 })).text).toContain('is 5');
      expect((await client.request('prompts/get', { name: 'everything__simple-prompt' })).result).toMatchObject({
        messages: [{ role: 'user' }],
      });
      const completion = await client.request('completion/complete', {
        ref: { type: 'ref/prompt', name: 'everything__completable-prompt' },
        argument: { name: 'department', value: 'Eng' },
      });
      expect(completion.result).toMatchObject({ completion: { values: ['Engineering'], hasMore: false } });
    }
  });

  it('are listed and called over REST', async () => {
    const server = await start();
    const alice = clientOf('alice', server);
    await alice.initialize();
    await untilListed(alice, 'everything__get-sum');
    const { status, body } = await rest(server, 'alice', '/api/servers');
    expect([status, body]).toEqual([
      200,
      { servers: [expect.objectContaining({ name: 'everything', state: 'connected' })], problems: [] },
    ]);
    const tool = '/api/servers/everything/tools/get-sum';
    expect(await rest(server, 'alice', tool, { a: 2, b: 3 })).toMatchObject({
      status: 200,
      body: { type: 'text', blocks: [{ type: 'text', text: 'The sum of 2 and 3 is 5.' }] },
    });
    expect(await rest(server, 'alice', tool, { a: 'x' })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid-arguments' } },
    });
    expect(await rest(server, 'alice', tool)).toMatchObject({ status: 405 });
    expect(await rest(server, 'alice', '/api/servers/everything/tools/nothing', {})).toMatchObject({
      status: 404,
      body: { error: { code: 'unknown-tool' } },
    });
    expect(await rest(server, 'guest', '/api/servers')).toMatchObject({ status: 403, challenge: expect.any(String) });
    expect(await rest(server, 'guest', tool, { a: 2, b: 3 })).toMatchObject({ status: 403 });
    const paths = { '/api/servers': expect.anything(), '/api/servers/{server}/tools/{tool}': expect.anything() };
    expect((await rest(server, 'alice', '/openapi.json')).body).toMatchObject({ paths });
  });
});
