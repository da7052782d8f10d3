import { FakeClock } from '@gemini-mcp/core/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it } from 'vitest';
import type { McpLogEntry } from '../mcp-log.ts';
import { createStatelessEndpoint, type StatelessEndpoint } from './stateless-endpoint.ts';
import { callerNamed, callTool, initialize, messagesOf, postRequest, rpc } from './testing/http-caller.ts';
import { createTestSurface, type TestSurface } from './testing/test-surface.ts';

type Setup = TestSurface & {
  readonly endpoint: StatelessEndpoint;
  readonly log: readonly McpLogEntry[];
  readonly post: (body: unknown, headers?: Readonly<Record<string, string | null>>) => Promise<Response>;
};

function setUp(): Setup {
  const log: McpLogEntry[] = [];
  const test = createTestSurface();
  const endpoint = createStatelessEndpoint({
    version: '1.2.3',
    clock: new FakeClock(),
    log: (entry) => log.push(entry),
  });
  const post = (body: unknown, headers = {}): Promise<Response> =>
    endpoint.post(postRequest(headers), body, callerNamed('alice', test.surface));
  return { ...test, endpoint, log, post };
}

describe('POST without sessions', () => {
  it.each([initialize, rpc(0, 'tools/list'), rpc('', 'ping')])('answers %j as JSON', async (body) => {
    const { post } = setUp();
    const response = await post(body);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: body.id, result: {} });
  });

  it('answers a call as a stream, which begins before the call has ended', async () => {
    const { post, begun, hanging, endpoint } = setUp();
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
    const { post } = setUp();
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
    const { post, log } = setUp();
    const response = await post(body);
    expect([response.status, await response.text()]).toEqual([202, '']);
    expect(log).toEqual([]);
  });

  it('forgets what is answered', async () => {
    const { post, endpoint, hanging } = setUp();
    await (await post(callTool(1, 'echo'))).text();
    await post(rpc(1, 'ping'));
    await post(callTool(1, 'hang'), { accept: 'application/json' });
    expect(hanging).toEqual([]);
    await endpoint.callsEnded();
    await endpoint.close();
  });
});

describe('what is refused without sessions', () => {
  async function refusalOf(response: Promise<Response>): Promise<unknown> {
    const { status, headers, ...rest } = await response;
    expect(rest).toBeDefined();
    const text = await (await response).text();
    expect(headers.get('content-type')).toBe('application/json');
    expect(text.length).toBeLessThan(400);
    expect(text).not.toMatch(/invalid_type|"path"|\bat .*:\d+|zod/i);
    const { id, error } = JSON.parse(text);
    return [status, id, error.code];
  }

  it.each([
    ['an Accept header without events', { accept: 'application/json' }, 406],
    ['an Accept header without JSON', { accept: 'text/event-stream' }, 406],
    ['no Accept header', { accept: null }, 406],
    ['a body that is said to be text', { 'content-type': 'text/plain' }, 415],
    ['a version that nobody knows', { 'mcp-protocol-version': '1999-01-01' }, 400],
  ])('%s', async (_what, headers, status) => {
    const { post } = setUp();
    expect(await refusalOf(post(rpc(1, 'tools/list'), headers))).toEqual([status, null, -32_000]);
  });

  it('a probe for the next revision, so that the client falls back to initialize', async () => {
    const { post } = setUp();
    const probe = rpc(0, 'server/discover', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } });
    const response = await post(probe, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: -32_000, message: expect.stringContaining('Unsupported protocol version') },
    });
    expect((await post(initialize)).status).toBe(200);
  });

  it.each([null, 5, 'text', true, {}, { jsonrpc: '1.0', id: 1, method: 'ping' }, rpc({}, 'ping'), rpc(1.5, 'ping')])(
    'the body %j',
    async (body) => {
      const { post } = setUp();
      const [status, id, code] = [await refusalOf(post(body))].flat();
      expect([status, id]).toEqual([400, null]);
      expect([-32_600, -32_700]).toContain(code);
    },
  );

  it('initialize without its parameters', async () => {
    const { post } = setUp();
    expect(await refusalOf(post(rpc(3, 'initialize', { protocolVersion: 5 })))).toEqual([400, 3, -32_602]);
    expect(await refusalOf(post(rpc({}, 'initialize')))).toEqual([400, null, -32_602]);
  });

  const ping = rpc(1, 'ping');

  it.each([
    ['is empty', [], null],
    ['is nested', [[ping]], null],
    ['holds 101 messages', Array.from({ length: 101 }, (_, id) => rpc(id, 'ping')), null],
    ['comes with a version that has none', [ping], '2025-06-18'],
    ['comes with a later version', [ping], '2025-11-25'],
    ['holds an initialize', [initialize], null],
    ['holds an id twice', [ping, ping], null],
    ['holds what is no object', [ping, 5], null],
  ])('HTTP-11: a batch that %s', async (_what, body, version) => {
    const { post } = setUp();
    expect(await refusalOf(post(body, { 'mcp-protocol-version': version }))).toEqual([400, null, -32_600]);
  });

  it('a body of 100,000 levels', async () => {
    const { post } = setUp();
    const levels = 100_000;
    const deep: unknown = JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect(await refusalOf(post(deep))).toEqual([400, null, -32_600]);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { word: deep } } };
    const [answer] = await messagesOf(await post(call));
    expect(answer).toMatchObject({ id: 1, result: { isError: true } });
  });
});

describe('HTTP-11: a batch of an old client', () => {
  it('of 100 messages is answered in one body', async () => {
    const { post } = setUp();
    const ids = Array.from({ length: 100 }, (_, id) => id);
    const response = await post(
      ids.map((id) => rpc(id, 'ping')),
      { 'mcp-protocol-version': '2025-03-26' },
    );
    expect(await messagesOf(response)).toEqual(ids.map((id) => ({ jsonrpc: '2.0', id, result: {} })));
  });

  it('with a call is answered on one stream', async () => {
    const { post } = setUp();
    const messages = await messagesOf(await post([rpc(1, 'ping'), callTool(2, 'echo', { word: 'x' })]));
    expect(messages.map((message) => message)).toEqual([
      expect.objectContaining({ id: 1 }),
      expect.objectContaining({ method: 'notifications/progress' }),
      expect.objectContaining({ id: 2 }),
    ]);
  });

  it('ends although one message cancels another', async () => {
    const { post, begun, hanging } = setUp();
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
    const { endpoint, surface, begun, hanging, log } = setUp();
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
    const { endpoint, surface, hanging } = setUp();
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
  it('aborts what runs, tells those who wait, and refuses what comes', async () => {
    const { endpoint, post, begun, hanging } = setUp();
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
    'leaves nothing running, %i turns behind it',
    async (turns) => {
      const { endpoint, post, hanging } = setUp();
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
    const { endpoint, surface } = setUp();
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
    const { endpoint, surface, begun, hanging } = setUp();
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
