import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it } from 'vitest';
import {
  callerNamed,
  callTool,
  deleteRequest,
  getRequest,
  initialize,
  messagesOf,
  postRequest,
  rpc,
} from '../../testing/http-caller.ts';
import { statusAndJson } from '../../testing/status-and-json.ts';
import { SessionClient } from './testing/session-client.ts';
import { setUpSessions } from './testing/set-up-sessions.ts';
import { unknownSession } from './testing/unknown-session.ts';

describe('a session', () => {
  it('begins with initialize, and is found again by its id', async () => {
    const { begin, endpoint } = setUpSessions();
    const session = await begin();
    expect(session.sessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect((await session.post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
    expect(await messagesOf(await session.post(rpc(0, 'tools/list')))).toMatchObject([{ id: 0, result: {} }]);
    expect(endpoint.load).toEqual({ sessions: 1 });
  });

  it('does not begin again', async () => {
    const { begin, endpoint } = setUpSessions();
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
    const { endpoint, surface } = setUpSessions();
    const response = await endpoint.post(postRequest(headers), body, callerNamed('alice', surface));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
    expect(endpoint.load).toEqual({ sessions: 0 });
  });

  it('does not begin if the client would not understand the answer', async () => {
    const { endpoint, surface } = setUpSessions();
    const request = postRequest({ accept: 'application/json' });
    expect((await endpoint.post(request, initialize, callerNamed('alice', surface))).status).toBe(406);
    expect(endpoint.load).toEqual({ sessions: 0 });
  });

  it('answers a request of an unknown revision with the supported versions', async () => {
    const { endpoint, surface } = setUpSessions();
    const request = postRequest({ 'mcp-protocol-version': '2099-01-01' });
    const response = await endpoint.post(request, rpc(1, 'server/discover'), callerNamed('alice', surface));
    expect(await response.text()).toContain('Unsupported protocol version (supported versions: 2025-11-25');
  });

  it('HTTP-13: is unknown by any other id, and needed by every method', async () => {
    const { endpoint, surface, begin } = setUpSessions();
    await begin();
    for (const sessionId of [globalThis.crypto.randomUUID(), '', '../etc', 'x'.repeat(5_000), '__proto__']) {
      const stranger = new SessionClient({ endpoint, surface, binding: 'alice', sessionId });
      expect(await statusAndJson(await stranger.post(rpc(1, 'ping')))).toEqual(unknownSession);
      expect(await statusAndJson(await stranger.get())).toEqual(unknownSession);
      expect(await statusAndJson(await stranger.delete())).toEqual(unknownSession);
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
    const { begin, endpoint } = setUpSessions();
    const session = await begin('alice');
    const thief = session.as('mallory');
    expect(await statusAndJson(await thief.post(rpc(1, 'tools/list')))).toEqual(unknownSession);
    expect(await statusAndJson(await thief.get())).toEqual(unknownSession);
    expect(await statusAndJson(await thief.delete())).toEqual(unknownSession);
    expect(endpoint.load).toEqual({ sessions: 1 });
    expect(await messagesOf(await session.post(rpc(1, 'ping')))).toMatchObject([{ id: 1, result: {} }]);
  });

  it('ends when its client deletes it', async () => {
    const { begin, endpoint, begun, hanging } = setUpSessions();
    const session = await begin();
    const response = await session.post(callTool(1, 'hang'));
    await begun(1);
    expect((await session.delete()).status).toBe(200);
    expect(await statusAndJson(await session.post(rpc(1, 'ping')))).toEqual(unknownSession);
    expect(hanging[0]?.signal.aborted).toBe(true);
    await response.text();
    await endpoint.callsEnded();
    expect(endpoint.load).toEqual({ sessions: 0 });
  });

  it('refuses an unknown version, and goes on', async () => {
    const { begin, endpoint, surface } = setUpSessions();
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

  it('has one stream for unsolicited messages, for clients that accept events', async () => {
    const { begin } = setUpSessions();
    const session = await begin();
    expect((await session.get(session.caller(), 'application/json')).status).toBe(406);
    const stream = await session.get();
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect((await session.get()).status).toBe(409);
    await stream.body?.cancel();
    expect((await session.get()).status).toBe(200);
  });
});

describe('HTTP-08: equal ids in different sessions', () => {
  it('never cross', async () => {
    const { begin } = setUpSessions();
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
    const { endpoint, surface, begun, hanging } = setUpSessions();
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
