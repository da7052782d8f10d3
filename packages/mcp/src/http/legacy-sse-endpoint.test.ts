import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { describe, expect, it } from 'vitest';
import { callerNamed, callTool, initialize, rpc } from './testing/http-caller.ts';
import { postTo } from './testing/post-to.ts';
import { setUpLegacySse } from './testing/set-up-legacy-sse.ts';

describe('HTTP with SSE', () => {
  it('says first where to send messages, and answers on the stream', async () => {
    const { open } = setUpLegacySse();
    const { response, path, post, next } = await open();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(path).toMatch(/^\/messages\?sessionId=[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const accepted = await post(initialize);
    expect([accepted.status, await accepted.text()]).toEqual([202, 'Accepted']);
    expect(await next()).toMatchObject({ id: 'init', result: { serverInfo: { name: 'gemini-mcp-server' } } });
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
    await post(callTool(0, 'echo', { word: 'canary' }));
    expect(await next()).toMatchObject({ params: { progressToken: 'token 0', message: 'progress of canary' } });
    expect(await next()).toMatchObject({ id: 0, result: { content: [{ text: 'canary for owner of alice' }] } });
  });

  it.each([null, 5, [], [rpc(1, 'ping')], {}, rpc({}, 'ping'), { jsonrpc: '1.0', id: 1, method: 'ping' }])(
    'refuses %j',
    async (body) => {
      const { open } = setUpLegacySse();
      const { post } = await open();
      const response = await post(body);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32_600, message: 'Invalid request: not one JSON-RPC 2.0 message' },
      });
    },
  );

  it('refuses initialize without its parameters, in our words', async () => {
    const { open } = setUpLegacySse();
    const { post } = await open();
    const response = await post(rpc(3, 'initialize', { protocolVersion: 5 }));
    expect([response.status, await response.json()]).toMatchObject([400, { id: 3, error: { code: -32_602 } }]);
  });

  it('HTTP-07, HTTP-13: knows a session by its id and binding together', async () => {
    const { open, endpoint, surface } = setUpLegacySse();
    const { post } = await open('alice');
    const caller = callerNamed('alice', surface);
    const missing = await endpoint.post(postTo('/messages'), rpc(1, 'ping'), caller);
    const wrong = await endpoint.post(postTo('/messages?sessionId=x'), rpc(1, 'ping'), caller);
    const foreign = await post(rpc(1, 'ping'), 'mallory');
    expect([missing.status, wrong.status, foreign.status]).toEqual([400, 404, 404]);
    expect(await foreign.text()).toBe(await wrong.text());
  });

  it('refuses the id of a running call, and more calls than it may run', async () => {
    const { open, begun } = setUpLegacySse();
    const { post } = await open();
    for (let id = 0; id < 64; id += 1) {
      expect((await post(callTool(id, 'hang'))).status).toBe(202);
    }
    await begun(64);
    expect((await post(callTool(0, 'hang'))).status).toBe(400);
    const refused = await post(rpc(64, 'ping'));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
  });

  it('HTTP-08: never crosses equal ids of different clients', async () => {
    const { open } = setUpLegacySse();
    const clients = [await open('alice'), await open('bob')];
    const ids = Array.from({ length: 51 }, (_, id) => id);
    await Promise.all(
      clients.flatMap(({ post, caller }) =>
        ids.map((id) => post(callTool(id, 'echo', { word: `${caller.binding} ${id}` }))),
      ),
    );
    for (const { caller, next } of clients) {
      const messages = [];
      while (messages.length < 2 * ids.length) {
        messages.push(await next());
      }
      const canaries = JSON.stringify(messages).match(/(?:alice|bob) \d+/g) ?? [];
      expect(new Set(canaries)).toEqual(new Set(ids.map((id) => `${caller.binding} ${id}`)));
      expect(canaries).toHaveLength(2 * ids.length);
      for (const id of ids) {
        expect(messages).toContainEqual(
          expect.objectContaining({
            id,
            result: { content: [{ type: 'text', text: `${caller.binding} ${id} for ${caller.owner}` }] },
          }),
        );
      }
    }
  });

  it("serves the SDK's client", async () => {
    const { endpoint, surface, begun, hanging } = setUpLegacySse();
    const transport = new SSEClientTransport(new URL('http://127.0.0.1:3000/sse'), {
      fetch: async (input, init = {}) => {
        const request = new Request(input, init);
        const caller = { ...callerNamed('alice', surface), signal: request.signal };
        return request.method === 'GET'
          ? endpoint.get(request, caller)
          : endpoint.post(request, await request.json(), caller);
      },
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const told: unknown[] = [];
    const onprogress = (progress: unknown): number => told.push(progress);
    const result = await client.callTool({ name: 'echo', arguments: { word: 'x' } }, undefined, { onprogress });
    expect(result.content).toEqual([{ type: 'text', text: 'x for owner of alice' }]);
    expect(told).toEqual([{ progress: 1, message: 'progress of x' }]);
    const hung = client.callTool({ name: 'hang' });
    await begun(1);
    await client.close();
    await expect(hung).rejects.toThrow();
    await endpoint.callsEnded();
    expect(hanging[0]?.signal.aborted).toBe(true);
  });
});
