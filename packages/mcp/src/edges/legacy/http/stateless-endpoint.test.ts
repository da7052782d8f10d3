import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it } from 'vitest';
import { callerNamed, callTool, initialize, messagesOf, postRequest, rpc } from '../../testing/http-caller.ts';
import { setUpStateless } from './testing/set-up-stateless.ts';

describe('POST without sessions', () => {
  it.each([initialize, rpc(0, 'tools/list'), rpc('', 'ping')])('answers %j as JSON', async (body) => {
    const { post } = setUpStateless();
    const response = await post(body);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: body.id, result: {} });
  });

  it('answers a call as a stream, which begins before the call has ended', async () => {
    const { post, begun, hanging, endpoint } = setUpStateless();
    const response = await post(callTool(7, 'hang'));
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await begun(1);
    hanging[0]?.finish();
    expect(await messagesOf(response)).toEqual([
      { jsonrpc: '2.0', id: 7, result: { content: [{ type: 'text', text: 'finished' }] } },
    ]);
    await endpoint.callsEnded();
  });

  it('sends progress on the stream of its call', async () => {
    const { post } = setUpStateless();
    expect(await messagesOf(await post(callTool(7, 'echo', { word: 'canary' })))).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'token 7', progress: 1, message: 'progress of canary' },
      },
      { jsonrpc: '2.0', id: 7, result: { content: [{ type: 'text', text: 'canary for owner of alice' }] } },
    ]);
  });

  it.each([
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', id: 1, result: {} },
    [{ jsonrpc: '2.0', method: 'notifications/initialized' }],
  ])('accepts %j, which asks for no answer', async (body) => {
    const { post, log } = setUpStateless();
    const response = await post(body);
    expect([response.status, await response.text()]).toEqual([202, '']);
    expect(log).toEqual([]);
  });

  it('forgets answered requests', async () => {
    const { post, endpoint, hanging } = setUpStateless();
    await (await post(callTool(1, 'echo'))).text();
    await post(rpc(1, 'ping'));
    await post(callTool(1, 'hang'), { accept: 'application/json' });
    expect(hanging).toEqual([]);
    await endpoint.callsEnded();
    await endpoint.close();
  });
});

describe('HTTP-11: a batch of an old client', () => {
  it('of 100 messages is answered in one body', async () => {
    const { post } = setUpStateless();
    const ids = Array.from({ length: 100 }, (_, id) => id);
    const response = await post(
      ids.map((id) => rpc(id, 'ping')),
      { 'mcp-protocol-version': '2025-03-26' },
    );
    expect(await messagesOf(response)).toEqual(ids.map((id) => ({ jsonrpc: '2.0', id, result: {} })));
  });

  it('with a call is answered on one stream', async () => {
    const { post } = setUpStateless();
    const messages = await messagesOf(await post([rpc(1, 'ping'), callTool(2, 'echo', { word: 'x' })]));
    expect(messages.map((message) => message)).toEqual([
      expect.objectContaining({ id: 1 }),
      expect.objectContaining({ method: 'notifications/progress' }),
      expect.objectContaining({ id: 2 }),
    ]);
  });

  it('ends although one message cancels another', async () => {
    const { post, begun, hanging } = setUpStateless();
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const response = await post([callTool(1, 'hang'), cancel]);
    await begun(1);
    hanging[0]?.finish();
    expect(await messagesOf(response)).toMatchObject([{ id: 1 }]);
    expect(await messagesOf(await post([rpc(1, 'ping'), cancel]))).toMatchObject([{ id: 1, result: {} }]);
  });
});

describe('HTTP-18: a client that hangs up', () => {
  it.each([0, 1, '', 'x'])('cancels its call of the id %j and no other', async (id) => {
    const { endpoint, surface, begun, hanging, log } = setUpStateless();
    const [alice, bob] = [callerNamed('alice', surface), callerNamed('bob', surface)];
    await endpoint.post(postRequest(), callTool(id, 'hang'), alice);
    await begun(1);
    await endpoint.post(postRequest(), callTool(id, 'hang'), bob);
    await begun(2);
    alice.hangUp();
    expect(hanging.map(({ signal, owner }) => [owner, signal.aborted])).toEqual([
      ['owner of alice', true],
      ['owner of bob', false],
    ]);
    hanging[1]?.finish();
    await endpoint.callsEnded();
    expect(log).toEqual([]);
  });

  it('before its request was read gets no call run', async () => {
    const { endpoint, surface, hanging } = setUpStateless();
    const caller = callerNamed('alice', surface);
    caller.hangUp();
    const responses = [callTool(1, 'hang'), rpc(1, 'tools/list')].map((body) =>
      endpoint.post(postRequest(), body, caller),
    );
    await Promise.all(responses);
    await endpoint.callsEnded();
    expect(hanging).toEqual([]);
  });
});

describe('closing without sessions', () => {
  it('aborts running calls, answers the waiting clients with an error, and refuses later requests', async () => {
    const { endpoint, post, begun, hanging } = setUpStateless();
    const response = await post(callTool(1, 'hang'));
    await begun(1);
    await endpoint.close();
    expect(hanging[0]?.signal.aborted).toBe(true);
    expect(await messagesOf(response)).toMatchObject([{ id: 1, error: { code: -32_000 } }]);
    await endpoint.callsEnded();
    const refused = await post(rpc(1, 'ping'));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  });
});

describe('a closing that comes with a request', () => {
  it.each(Array.from({ length: 16 }, (_, turns) => turns))(
    'leaves nothing running, %i turns after the call',
    async (turns) => {
      const { endpoint, post, hanging } = setUpStateless();
      const response = post(callTool(1, 'hang'));
      for (let turn = 0; turn < turns; turn += 1) {
        await Promise.resolve();
      }
      await endpoint.close();
      await response;
      await endpoint.callsEnded();
      await new Promise(setImmediate);
      expect(hanging.filter(({ signal }) => !signal.aborted)).toEqual([]);
    },
  );
});

describe('HTTP-08: equal ids of different callers', () => {
  it('never cross', async () => {
    const { endpoint, surface } = setUpStateless();
    const ids = Array.from({ length: 51 }, (_, id) => id);
    const calls = ids.flatMap((id) => ['alice', 'bob'].map((name) => ({ id, name, word: `${name} ${id}` })));
    const answers = await Promise.all(
      calls.map(async ({ id, name, word }) => {
        const body = callTool(id, 'echo', { word });
        return messagesOf(await endpoint.post(postRequest(), body, callerNamed(name, surface)));
      }),
    );
    expect(answers).toEqual(
      calls.map(({ id, name, word }) => [
        expect.objectContaining({ params: expect.objectContaining({ message: `progress of ${word}` }) }),
        { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: `${word} for owner of ${name}` }] } },
      ]),
    );
  });
});

describe("the SDK's client", () => {
  it('lists, calls with progress and cancels', async () => {
    const { endpoint, surface, begun, hanging } = setUpStateless();
    const transport: Pick<Transport, 'start' | 'send' | 'close'> = new StreamableHTTPClientTransport(
      new URL('http://127.0.0.1:3000/mcp'),
      {
        fetch: async (input, init = {}) => {
          const request = new Request(input, init);
          return request.method === 'POST'
            ? endpoint.post(request, await request.json(), { ...callerNamed('alice', surface), signal: request.signal })
            : new Response(null, { status: 405 });
        },
      },
    );
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'hang']);
    const told: unknown[] = [];
    const onprogress = (progress: unknown): number => told.push(progress);
    const result = await client.callTool({ name: 'echo', arguments: { word: 'x' } }, undefined, { onprogress });
    expect(result.content).toEqual([{ type: 'text', text: 'x for owner of alice' }]);
    expect(told).toEqual([{ progress: 1, message: 'progress of x' }]);
    const hung = client.callTool({ name: 'hang' });
    await begun(1);
    await client.close();
    await expect(hung).rejects.toThrow();
    expect(hanging[0]?.signal.aborted).toBe(true);
    await endpoint.callsEnded();
  });
});
