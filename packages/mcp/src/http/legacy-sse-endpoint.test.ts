import { FakeClock } from '@gemini-mcp/core/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { describe, expect, it } from 'vitest';
import type { McpLogEntry } from '../mcp-log.ts';
import { createLegacySseEndpoint, type LegacySseEndpoint } from './legacy-sse-endpoint.ts';
import { callerNamed, callTool, getRequest, initialize, rpc, type TestCaller } from './testing/http-caller.ts';
import { createTestSurface, type TestSurface } from './testing/test-surface.ts';

const idleMs = 600_000;

/** A client with its stream open. */
type Opened = {
  readonly caller: TestCaller;
  readonly response: Response;
  readonly path: string;
  /** The data of the next event, or null behind the last. */
  readonly next: () => Promise<unknown>;
  readonly post: (body: unknown, binding?: string) => Promise<Response>;
};

type Setup = TestSurface & {
  readonly endpoint: LegacySseEndpoint;
  readonly clock: FakeClock;
  readonly log: readonly McpLogEntry[];
  readonly open: (binding?: string) => Promise<Opened>;
};

function setUp(maxSessions = 10): Setup {
  const clock = new FakeClock();
  const log: McpLogEntry[] = [];
  const test = createTestSurface();
  const endpoint = createLegacySseEndpoint({
    version: '1.2.3',
    clock,
    log: (entry) => log.push(entry),
    maxSessions,
    idleMs,
  });
  const open = async (binding = 'alice'): Promise<Opened> => {
    const caller = callerNamed(binding, test.surface);
    const response = await endpoint.get(getRequest(), caller);
    const events = readEvents(response);
    const path = String(await events.next());
    return {
      caller,
      response,
      path,
      next: async () => {
        const data = await events.next();
        return data === null ? null : JSON.parse(data);
      },
      post: (body, sender = binding) => endpoint.post(postTo(path), body, callerNamed(sender, test.surface)),
    };
  };
  return { ...test, endpoint, clock, log, open };
}

function postTo(path: string): Request {
  return new Request(new URL(path, 'http://127.0.0.1:3000'), { method: 'POST' });
}

function readEvents({ body }: Response): { next: () => Promise<string | null> } {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    next: async () => {
      while (!text.includes('\n\n')) {
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        if (done) {
          return null;
        }
        text += value;
      }
      const event = text.slice(0, text.indexOf('\n\n'));
      text = text.slice(event.length + 2);
      return /^data: (.*)$/m.exec(event)?.[1] ?? `"${event}"`;
    },
  };
}

/** Lets a call of `echo` come to its end. */
async function settled(): Promise<void> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

describe('HTTP with SSE', () => {
  it('says first where to send messages, and answers on the stream', async () => {
    const { open } = setUp();
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

  it('opens no stream for who does not accept one', async () => {
    const { endpoint, surface } = setUp();
    const response = await endpoint.get(getRequest({ accept: 'application/json' }), callerNamed('alice', surface));
    expect(response.status).toBe(406);
    expect(endpoint.load).toEqual({ sessions: 0 });
  });

  it.each([null, 5, [], [rpc(1, 'ping')], {}, rpc({}, 'ping'), { jsonrpc: '1.0', id: 1, method: 'ping' }])(
    'refuses %j',
    async (body) => {
      const { open } = setUp();
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
    const { open } = setUp();
    const { post } = await open();
    const response = await post(rpc(3, 'initialize', { protocolVersion: 5 }));
    expect([response.status, await response.json()]).toMatchObject([400, { id: 3, error: { code: -32_602 } }]);
  });

  it('HTTP-07, HTTP-13: knows a session by its id and binding together', async () => {
    const { open, endpoint, surface } = setUp();
    const { post } = await open('alice');
    const caller = callerNamed('alice', surface);
    const missing = await endpoint.post(postTo('/messages'), rpc(1, 'ping'), caller);
    const wrong = await endpoint.post(postTo('/messages?sessionId=x'), rpc(1, 'ping'), caller);
    const foreign = await post(rpc(1, 'ping'), 'mallory');
    expect([missing.status, wrong.status, foreign.status]).toEqual([400, 404, 404]);
    expect(await foreign.text()).toBe(await wrong.text());
  });

  it.each(['cancel the stream', 'hang up'])('cancels what runs when its client does %s', async (how) => {
    const { endpoint, surface, begun, hanging, clock } = setUp();
    const caller = callerNamed('alice', surface);
    const { body } = await endpoint.get(getRequest(), caller);
    const reader = body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    const path = /data: (.*)/.exec(new TextDecoder().decode(value))?.[1] ?? '';
    await endpoint.post(postTo(path), callTool(0, 'hang'), callerNamed('alice', surface));
    await begun(1);
    await (how === 'hang up' ? caller.hangUp() : reader?.cancel());
    expect(hanging[0]?.signal.aborted).toBe(true);
    expect(endpoint.load).toEqual({ sessions: 0 });
    await endpoint.callsEnded();
    expect((await endpoint.post(postTo(path), rpc(1, 'ping'), callerNamed('alice', surface))).status).toBe(404);
    await clock.advance(0);
    expect(clock.sleeping).toBe(0);
  });

  it('opens nothing for a client that is gone already', async () => {
    const { endpoint, surface } = setUp();
    const caller = callerNamed('alice', surface);
    caller.hangUp();
    await endpoint.get(getRequest(), caller);
    expect(endpoint.load).toEqual({ sessions: 0 });
  });

  it.each([0, 1, '', 'x'])('cancels the call of the id %j that a notification names, without an answer', async (id) => {
    const { open, begun, hanging, endpoint } = setUp();
    const { post, next } = await open();
    await post(callTool(id, 'hang'));
    await post(callTool('other', 'hang'));
    await begun(2);
    await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    expect(hanging.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    hanging[1]?.finish();
    await endpoint.callsEnded();
    await post(rpc('last', 'ping'));
    expect([await next(), await next()]).toMatchObject([{ id: 'other' }, { id: 'last' }]);
  });

  it('does not cancel what runs when the request closes that brought it', async () => {
    const { open, begun, hanging, endpoint, surface } = setUp();
    const { path, next } = await open();
    const sender = callerNamed('alice', surface);
    await endpoint.post(postTo(path), callTool(1, 'hang'), sender);
    await begun(1);
    sender.hangUp();
    hanging[0]?.finish();
    expect(await next()).toMatchObject({ id: 1, result: { content: [{ text: 'finished' }] } });
  });

  it('refuses the id of a running call, and more calls than it may run', async () => {
    const { open, begun } = setUp();
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

  it('takes no more from a client that does not read, and goes on when it does', async () => {
    const { open } = setUp();
    const { post, next } = await open();
    const word = 'x'.repeat(100_000);
    let accepted = 0;
    while (accepted < 100 && (await post(callTool(accepted, 'echo', { word }))).status === 202) {
      accepted += 1;
      await settled();
    }
    expect(accepted).toBeGreaterThan(5);
    expect(accepted).toBeLessThan(20);
    for (let last: unknown; last !== accepted - 1; ) {
      last = Object(await next()).id;
    }
    expect((await post(rpc('last', 'ping'))).status).toBe(202);
    expect(await next()).toMatchObject({ id: 'last' });
  });

  it('says something in time on a silent stream', async () => {
    const { endpoint, surface, clock } = setUp();
    const { body } = await endpoint.get(getRequest(), callerNamed('alice', surface));
    const reader = body?.getReader();
    await reader?.read();
    await clock.advance(15_000);
    const { value } = (await reader?.read()) ?? {};
    expect(new TextDecoder().decode(value)).toBe(': keepalive\n\n');
    await endpoint.close();
    expect(await reader?.read()).toEqual({ value: undefined, done: true });
    await clock.advance(0);
    expect(clock.sleeping).toBe(0);
  });

  it('has room for so many streams, and makes it of what was idle for long', async () => {
    const { open, clock, endpoint, surface, begun } = setUp(2);
    const [first, second] = [await open('alice'), await open('alice')];
    const refused = await endpoint.get(getRequest(), callerNamed('bob', surface));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    await first.post(callTool(1, 'hang'));
    await begun(1);
    await clock.advance(idleMs);
    expect(endpoint.load).toEqual({ sessions: 2 });
    await open('bob');
    expect(endpoint.load).toEqual({ sessions: 2 });
    expect((await first.post(rpc(2, 'ping'))).status).toBe(202);
    expect((await second.post(rpc(2, 'ping'))).status).toBe(404);
  });

  it('when it is closed tells those who wait, and opens no stream more', async () => {
    const { open, begun, hanging, endpoint, surface, log } = setUp();
    const { post, next } = await open();
    await post(callTool(1, 'hang'));
    await begun(1);
    await endpoint.close();
    expect(await next()).toMatchObject({ id: 1, error: { code: -32_000 } });
    expect(await next()).toBeNull();
    expect(hanging[0]?.signal.aborted).toBe(true);
    await endpoint.callsEnded();
    expect((await endpoint.get(getRequest(), callerNamed('alice', surface))).status).toBe(503);
    expect(log).toEqual([]);
  });

  it('HTTP-08: never crosses equal ids of different clients', async () => {
    const { open } = setUp();
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
    const { endpoint, surface, begun, hanging } = setUp();
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
