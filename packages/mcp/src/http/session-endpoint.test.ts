import { FakeClock } from '@gemini-mcp/core/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it } from 'vitest';
import type { McpLogEntry } from '../mcp-log.ts';
import { createSessionEndpoint, type SessionEndpoint } from './session-endpoint.ts';
import {
  callerNamed,
  callTool,
  deleteRequest,
  getRequest,
  initialize,
  messagesOf,
  postRequest,
  rpc,
} from './testing/http-caller.ts';
import { SessionClient } from './testing/session-client.ts';
import { createTestSurface, type TestSurface } from './testing/test-surface.ts';

const idleMs = 600_000;

type Setup = TestSurface & {
  readonly endpoint: SessionEndpoint;
  readonly clock: FakeClock;
  readonly log: readonly McpLogEntry[];
  readonly begin: (binding?: string) => Promise<SessionClient>;
  readonly tryToBegin: (binding: string) => Promise<Response>;
};

function setUp(maxSessions = 10): Setup {
  const clock = new FakeClock();
  const log: McpLogEntry[] = [];
  const test = createTestSurface();
  const { surface } = test;
  const endpoint = createSessionEndpoint({
    version: '1.2.3',
    clock,
    log: (entry) => log.push(entry),
    maxSessions,
    idleMs,
  });
  return {
    ...test,
    endpoint,
    clock,
    log,
    begin: (binding = 'alice') => SessionClient.begin({ endpoint, surface, binding }),
    tryToBegin: (binding) => endpoint.post(postRequest(), initialize, callerNamed(binding, surface)),
  };
}

const unknown = [404, { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found' } }];

async function read(response: Response): Promise<unknown> {
  return [response.status, await response.json()];
}

describe('a session', () => {
  it('begins with initialize, and is found again by its id', async () => {
    const { begin, endpoint } = setUp();
    const session = await begin();
    expect(session.sessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect((await session.post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
    expect(await messagesOf(await session.post(rpc(0, 'tools/list')))).toMatchObject([{ id: 0, result: {} }]);
    expect(endpoint.load).toEqual({ sessions: 1 });
  });

  it('does not begin again', async () => {
    const { begin, endpoint } = setUp();
    const session = await begin();
    expect((await session.post(initialize)).status).toBe(400);
    expect(endpoint.load).toEqual({ sessions: 1 });
  });

  it.each([
    ['tools/list', rpc(1, 'tools/list'), {}],
    ['a notification that is called initialize', { ...initialize, id: undefined }, {}],
    ['a malformed initialize', rpc(1, 'initialize', {}), {}],
    ['a batch with initialize', [initialize], {}],
    ['a probe for the next revision', rpc(1, 'server/discover'), { 'mcp-protocol-version': '2026-07-28' }],
  ])('does not begin with %s', async (_what, body, headers) => {
    const { endpoint, surface } = setUp();
    const response = await endpoint.post(postRequest(headers), body, callerNamed('alice', surface));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
    expect(endpoint.load).toEqual({ sessions: 0 });
  });

  it('does not begin where the client would not understand the answer', async () => {
    const { endpoint, surface } = setUp();
    const request = postRequest({ accept: 'application/json' });
    expect((await endpoint.post(request, initialize, callerNamed('alice', surface))).status).toBe(406);
    expect(endpoint.load).toEqual({ sessions: 0 });
  });

  it('tells a client that probes for the next revision what there is', async () => {
    const { endpoint, surface } = setUp();
    const request = postRequest({ 'mcp-protocol-version': '2026-07-28' });
    const response = await endpoint.post(request, rpc(1, 'server/discover'), callerNamed('alice', surface));
    expect(await response.text()).toContain('Unsupported protocol version (supported versions: 2025-11-25');
  });

  it('HTTP-13: is unknown by any other id, and needed by every method', async () => {
    const { endpoint, surface, begin } = setUp();
    await begin();
    for (const sessionId of [globalThis.crypto.randomUUID(), '', '../etc', 'x'.repeat(5_000), '__proto__']) {
      const stranger = new SessionClient({ endpoint, surface, binding: 'alice', sessionId });
      expect(await read(await stranger.post(rpc(1, 'ping')))).toEqual(unknown);
      expect(await read(await stranger.get())).toEqual(unknown);
      expect(await read(await stranger.delete())).toEqual(unknown);
    }
    const caller = callerNamed('alice', surface);
    const missing = await Promise.all([
      endpoint.post(postRequest(), rpc(1, 'ping'), caller),
      endpoint.get(getRequest(), caller),
      endpoint.delete(deleteRequest({}), caller),
    ]);
    expect(missing.map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  it('HTTP-07: is as unknown to anybody else as one that never was', async () => {
    const { begin, endpoint } = setUp();
    const session = await begin('alice');
    const thief = session.as('mallory');
    expect(await read(await thief.post(rpc(1, 'tools/list')))).toEqual(unknown);
    expect(await read(await thief.get())).toEqual(unknown);
    expect(await read(await thief.delete())).toEqual(unknown);
    expect(endpoint.load).toEqual({ sessions: 1 });
    expect(await messagesOf(await session.post(rpc(1, 'ping')))).toMatchObject([{ id: 1, result: {} }]);
  });

  it('ends when its client deletes it', async () => {
    const { begin, endpoint, begun, hanging } = setUp();
    const session = await begin();
    const response = await session.post(callTool(1, 'hang'));
    await begun(1);
    expect((await session.delete()).status).toBe(200);
    expect(await read(await session.post(rpc(1, 'ping')))).toEqual(unknown);
    expect(hanging[0]?.signal.aborted).toBe(true);
    await response.text();
    await endpoint.callsEnded();
    expect(endpoint.load).toEqual({ sessions: 0 });
  });

  it('refuses a version that nobody knows, and is not harmed by it', async () => {
    const { begin, endpoint, surface } = setUp();
    const session = await begin();
    const headers = { 'mcp-session-id': session.sessionId, 'mcp-protocol-version': '1999-01-01' };
    const caller = session.caller();
    const refused = await Promise.all([
      endpoint.post(postRequest(headers), rpc(1, 'ping'), caller),
      endpoint.get(getRequest(headers), caller),
      endpoint.delete(deleteRequest(headers), callerNamed('alice', surface)),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect((await session.post(rpc(1, 'ping'))).status).toBe(200);
  });

  it('has one stream for what is said unasked, for clients that accept events', async () => {
    const { begin } = setUp();
    const session = await begin();
    expect((await session.get(session.caller(), 'application/json')).status).toBe(406);
    const stream = await session.get();
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect((await session.get()).status).toBe(409);
    await stream.body?.cancel();
    expect((await session.get()).status).toBe(200);
  });
});

describe('what is cancelled in a session', () => {
  it.each([0, 1, '', 'x'])('is the call of the id %j whose HTTP request is closed, and no other', async (id) => {
    const { begin, begun, hanging, endpoint, log } = setUp();
    const session = await begin();
    const caller = session.caller();
    const response = await session.post(callTool(id, 'hang'), caller);
    await begun(1);
    await session.post(callTool('other', 'hang'));
    await begun(2);
    caller.hangUp();
    expect(hanging.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    await response.text();
    hanging[1]?.finish();
    await endpoint.callsEnded();
    expect(log).toEqual([]);
  });

  it.each([0, 1, '', 'x'])('is the call of the id %j that a notification names: its stream ends', async (id) => {
    const { begin, begun, hanging, endpoint, log } = setUp();
    const session = await begin();
    const response = await session.post(callTool(id, 'hang'));
    await session.post(callTool('other', 'hang'));
    await begun(2);
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } };
    expect((await session.post(cancel)).status).toBe(202);
    expect(await messagesOf(response)).toEqual([]);
    expect(hanging.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    expect((await session.post(cancel)).status).toBe(202);
    hanging[1]?.finish();
    await endpoint.callsEnded();
    expect(log).toEqual([]);
  });

  it("is nobody else's call of the same id", async () => {
    const { begin, begun, hanging } = setUp();
    const [alice, bob] = [await begin('alice'), await begin('bob')];
    await alice.post(callTool(5, 'hang'));
    await begun(1);
    await bob.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } });
    expect(hanging[0]?.signal.aborted).toBe(false);
  });

  it('is answered only within a batch, whose other answers come on the same stream', async () => {
    const { begin, begun, hanging } = setUp();
    const session = await begin();
    const response = await session.post([callTool(1, 'hang'), callTool(2, 'hang')]);
    await begun(2);
    await session.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    hanging[1]?.finish();
    expect(await messagesOf(response)).toMatchObject([
      { id: 1, error: { code: -32_000 } },
      { id: 2, result: {} },
    ]);
  });

  it('with a closed request is all of its batch, however large', async () => {
    const { begin, begun, hanging, endpoint } = setUp();
    const warnings: unknown[] = [];
    const note = (warning: unknown): number => warnings.push(warning);
    process.on('warning', note);
    const session = await begin();
    const caller = session.caller();
    await session.post(
      Array.from({ length: 100 }, (_, id) => callTool(id, 'hang')),
      caller,
    );
    await begun(100);
    caller.hangUp();
    expect(hanging.every(({ signal }) => signal.aborted)).toBe(true);
    await endpoint.callsEnded();
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('is never one of two calls that come with one id at the same time: the second is refused', async () => {
    const { begin } = setUp();
    const session = await begin();
    const responses = await Promise.all(['one', 'two'].map((word) => session.post(callTool(1, 'echo', { word }))));
    expect(responses.map(({ status }) => status)).toEqual([200, 400]);
    const [first] = responses;
    expect(JSON.stringify(first && (await messagesOf(first)))).toMatch(/progress of one.*one for owner of alice/);
  });

  it('keeps its id until the tool has ended, and then leaves it to another', async () => {
    const { begin, begun, endpoint } = setUp();
    const session = await begin();
    const caller = session.caller();
    await session.post(callTool(1, 'hang'), caller);
    await begun(1);
    expect(await read(await session.post(rpc(1, 'ping')))).toMatchObject([400, { id: 1, error: { code: -32_600 } }]);
    caller.hangUp();
    expect((await session.post(rpc(1, 'ping'))).status).toBe(400);
    await endpoint.callsEnded();
    await new Promise(setImmediate);
    expect(await messagesOf(await session.post(rpc(1, 'ping')))).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });
});

describe('an idle session', () => {
  it('ends after its time', async () => {
    const { begin, clock, endpoint } = setUp();
    const session = await begin();
    await clock.advance(idleMs - 1);
    await (await session.post(rpc(1, 'ping'))).text();
    await clock.advance(idleMs - 1);
    expect(endpoint.load).toEqual({ sessions: 1 });
    await clock.advance(1);
    expect(await read(await session.post(rpc(2, 'ping')))).toEqual(unknown);
    expect(endpoint.load).toEqual({ sessions: 0 });
    expect(clock.sleeping).toBe(0);
  });

  it('is none while a call runs', async () => {
    const { begin, clock, begun, hanging, endpoint } = setUp();
    const session = await begin();
    const response = await session.post(callTool(1, 'hang'));
    await begun(1);
    await clock.advance(10 * idleMs);
    expect(endpoint.load).toEqual({ sessions: 1 });
    hanging[0]?.finish();
    await response.text();
    await clock.advance(idleMs);
    expect(endpoint.load).toEqual({ sessions: 0 });
  });

  it('is none while its stream is open', async () => {
    const { begin, clock, endpoint } = setUp();
    const session = await begin();
    const caller = session.caller();
    const stream = await session.get(caller);
    await clock.advance(10 * idleMs);
    expect(endpoint.load).toEqual({ sessions: 1 });
    await stream.body?.cancel();
    caller.hangUp();
    await clock.advance(idleMs);
    expect(endpoint.load).toEqual({ sessions: 0 });
  });
});

describe('when as many sessions are held as may be', () => {
  it('the longest idle one of whoever holds most makes room', async () => {
    const { begin, clock, endpoint } = setUp(3);
    const bob = await begin('bob');
    await clock.advance(1);
    const first = await begin('alice');
    await clock.advance(1);
    const second = await begin('alice');
    await clock.advance(1);
    await begin('alice');
    expect((await bob.post(rpc(1, 'ping'))).status).toBe(200);
    expect((await first.post(rpc(1, 'ping'))).status).toBe(404);
    expect((await second.post(rpc(1, 'ping'))).status).toBe(200);
    expect(endpoint.load).toEqual({ sessions: 3 });
  });

  it("a flood of one caller's pushes out its own alone", async () => {
    const { begin, endpoint } = setUp(5);
    const others = [await begin('bob'), await begin('carol')];
    for (let count = 0; count < 50; count += 1) {
      await begin('mallory');
    }
    const statuses = await Promise.all(others.map(async (other) => (await other.post(rpc(1, 'ping'))).status));
    expect(statuses).toEqual([200, 200]);
    expect(endpoint.load).toEqual({ sessions: 5 });
  });

  it('a newcomer gets room from whoever holds more, idle ones alone', async () => {
    const { begin, begun, tryToBegin, endpoint, hanging } = setUp(2);
    const [first, second] = [await begin('alice'), await begin('alice')];
    await first.post(callTool(1, 'hang'));
    await second.post(callTool(1, 'hang'));
    await begun(2);
    const refused = await tryToBegin('bob');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 } });
    expect(hanging.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    hanging[1]?.finish();
    await new Promise(setImmediate);
    expect((await tryToBegin('bob')).status).toBe(200);
    expect(hanging[0]?.signal.aborted).toBe(false);
    expect(endpoint.load).toEqual({ sessions: 2 });
  });
});

describe('closing with sessions', () => {
  it('aborts what runs, tells those who wait, and begins no session more', async () => {
    const { begin, begun, hanging, endpoint, tryToBegin } = setUp();
    const session = await begin();
    const response = await session.post(callTool(1, 'hang'));
    await begun(1);
    await endpoint.close();
    expect(hanging[0]?.signal.aborted).toBe(true);
    expect(await messagesOf(response)).toMatchObject([{ id: 1, error: { code: -32_000 } }]);
    await endpoint.callsEnded();
    expect((await tryToBegin('alice')).status).toBe(503);
    expect(endpoint.load).toEqual({ sessions: 0 });
  });
});

describe('a closing that comes with a call in a session', () => {
  it.each(Array.from({ length: 16 }, (_, turns) => turns))(
    'leaves nothing running, %i turns behind it',
    async (turns) => {
      const { endpoint, begin, hanging } = setUp();
      const session = await begin();
      const response = session.post(callTool(1, 'hang'));
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

describe('HTTP-08: equal ids in different sessions', () => {
  it('never cross', async () => {
    const { begin } = setUp();
    const sessions = { alice: await begin('alice'), bob: await begin('bob') };
    const ids = Array.from({ length: 51 }, (_, id) => id);
    const calls = ids.flatMap((id) => (['alice', 'bob'] as const).map((name) => ({ id, name, word: `${name} ${id}` })));
    const answers = await Promise.all(
      calls.map(async ({ id, name, word }) => messagesOf(await sessions[name].post(callTool(id, 'echo', { word })))),
    );
    expect(answers).toEqual(
      calls.map(({ id, name, word }) => [
        expect.objectContaining({ params: expect.objectContaining({ message: `progress of ${word}` }) }),
        { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: `${word} for owner of ${name}` }] } },
      ]),
    );
  });
});

describe("the SDK's client in a session", () => {
  it('calls with progress, cancels, and ends the session', async () => {
    const { endpoint, surface, begun, hanging } = setUp();
    const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1:3000/mcp'), {
      fetch: async (input, init = {}) => {
        const request = new Request(input, init);
        const caller = { ...callerNamed('alice', surface), signal: request.signal };
        switch (request.method) {
          case 'POST':
            return endpoint.post(request, await request.json(), caller);
          case 'GET':
            return endpoint.get(request, caller);
          default:
            return endpoint.delete(request, caller);
        }
      },
    });
    const client = new Client({ name: 'test', version: '1' });
    const connectable: Pick<Transport, 'start' | 'send' | 'close'> = transport;
    await client.connect(connectable);
    const told: unknown[] = [];
    const onprogress = (progress: unknown): number => told.push(progress);
    const result = await client.callTool({ name: 'echo', arguments: { word: 'x' } }, undefined, { onprogress });
    expect(result.content).toEqual([{ type: 'text', text: 'x for owner of alice' }]);
    expect(told).toEqual([{ progress: 1, message: 'progress of x' }]);
    const cancel = new AbortController();
    const hung = client.callTool({ name: 'hang' }, undefined, { signal: cancel.signal });
    await begun(1);
    cancel.abort();
    await expect(hung).rejects.toThrow();
    await client.ping();
    expect(hanging[0]?.signal.aborted).toBe(true);
    await transport.terminateSession();
    expect(endpoint.load).toEqual({ sessions: 0 });
    await client.close();
  });
});
