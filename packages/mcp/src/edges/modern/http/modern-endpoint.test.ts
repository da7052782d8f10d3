import { describe, expect, it } from 'vitest';
import { ChangingSurface } from '../../../surface/changing-surface.ts';
import type { Surface } from '../../../surface/surface.ts';
import { callerNamed, messagesOf, postRequest } from '../../testing/http-caller.ts';
import { connectModern, envelope, headersOf, modernRequest } from '../../testing/modern-caller.ts';
import { readEvents } from '../../testing/read-events.ts';
import { statusAndJson } from '../../testing/status-and-json.ts';
import { createTestSurface } from '../../testing/test-surface.ts';
import { metaKeys } from '../envelope.ts';
import { isModern } from './modern-endpoint.ts';

const serverInfo = { name: 'gemini-mcp-server', title: 'Gemini', version: '1.2.3' };
const call = { name: 'echo', arguments: { word: 'hi' } };
const [version, capabilities] = [metaKeys.version, metaKeys.clientCapabilities];

describe('a request of revision 2026-07-28', () => {
  it('discovers the server', async () => {
    const { send } = connectModern(createTestSurface().surface);
    expect(await statusAndJson(await send(modernRequest(1, 'server/discover')))).toEqual([
      200,
      {
        jsonrpc: '2.0',
        id: 1,
        result: {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
          instructions: expect.stringContaining('gemini_query'),
          ttlMs: 3_600_000,
          cacheScope: 'private',
          _meta: { [metaKeys.serverInfo]: serverInfo },
        },
      },
    ]);
  });

  it('lists the tools for its caller alone', async () => {
    const { ask } = connectModern(createTestSurface().surface);
    expect(await ask('tools/list')).toMatchObject({
      result: {
        resultType: 'complete',
        cacheScope: 'private',
        ttlMs: 3_600_000,
        tools: [{ name: 'echo' }, { name: 'hang' }],
      },
    });
  });

  it('calls a tool, and gets JSON without progress and events with it', async () => {
    const { send } = connectModern(createTestSurface().surface);
    const plain = await send(modernRequest(1, 'tools/call', call));
    expect(plain.headers.get('content-type')).toBe('application/json');
    expect(await messagesOf(plain)).toMatchObject([
      { id: 1, result: { resultType: 'complete', content: [{ text: 'hi for owner of alice' }] } },
    ]);
    const streamed = await send(modernRequest(2, 'tools/call', call, { progressToken: 'p' }));
    expect(streamed.headers.get('content-type')).toBe('text/event-stream');
    expect(streamed.headers.get('x-accel-buffering')).toBe('no');
    expect(await messagesOf(streamed)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'p', message: 'progress of hi' } },
      { id: 2, result: {} },
    ]);
  });

  it('gets JSON alone if it accepts nothing else', async () => {
    const { send } = connectModern(createTestSurface().surface);
    const answer = await send(modernRequest(1, 'tools/call', call, { progressToken: 1 }), {
      accept: 'application/json',
    });
    expect(await messagesOf(answer)).toMatchObject([{ id: 1, result: {} }]);
  });

  it('is kept alive by comments while its tool is silent', async () => {
    const { surface, begun, hanging } = createTestSurface();
    const { send, clock } = connectModern(surface);
    const response = send(modernRequest(1, 'tools/call', { name: 'hang', arguments: {} }));
    await begun(1);
    await clock.advance(20_000);
    const events = readEvents(await response);
    expect(await events.next()).toBe('": keep-alive"');
    hanging[0]?.finish();
    expect(JSON.parse((await events.next()) ?? '')).toMatchObject({
      id: 1,
      result: { content: [{ text: 'finished' }] },
    });
  });

  it('is cancelled by closing it', async () => {
    const { surface, begun, hanging } = createTestSurface();
    const { send, endpoint } = connectModern(surface);
    const alice = callerNamed('alice', surface);
    void send(modernRequest(1, 'tools/call', { name: 'hang', arguments: {} }), {}, alice);
    await begun(1);
    alice.hangUp();
    expect(hanging[0]?.signal.aborted).toBe(true);
    await endpoint.callsEnded();
  });

  it('is aborted when the endpoint closes, and refused afterwards', async () => {
    const { surface, begun, hanging } = createTestSurface();
    const { send, endpoint } = connectModern(surface);
    const response = send(modernRequest(1, 'tools/call', { name: 'hang', arguments: {} }));
    await begun(1);
    endpoint.close();
    expect(hanging[0]?.signal.aborted).toBe(true);
    await endpoint.callsEnded();
    expect(await messagesOf(await response)).toHaveLength(1);
    expect((await send(modernRequest(2, 'tools/list'))).status).toBe(503);
  });

  it.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'no/such', 'toString', '__proto__'])(
    'answers the method %s with 404',
    async (method) => {
      const { send } = connectModern(createTestSurface().surface);
      expect(await statusAndJson(await send(modernRequest(1, method)))).toMatchObject([
        404,
        { id: 1, error: { code: -32601 } },
      ]);
    },
  );

  it('answers an unknown tool with an error and the status 200', async () => {
    const { send } = connectModern(createTestSurface().surface);
    const answer = await send(modernRequest(1, 'tools/call', { name: 'none' }));
    expect(await statusAndJson(answer)).toMatchObject([200, { error: { code: -32602 } }]);
  });

  it('answers a missing resource with the code for wrong parameters, and with its name', async () => {
    const { ask } = connectModern(createTestSurface().surface);
    expect(await ask('resources/read', { uri: 'gemini://none' })).toMatchObject({
      error: { code: -32602, data: { uri: 'gemini://none' } },
    });
  });

  it('accepts a notification and does nothing', async () => {
    const { send } = connectModern(createTestSurface().surface);
    const response = await send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1, _meta: envelope() },
    });
    expect(response.status).toBe(202);
  });
});

describe('a malformed request', () => {
  it.each([
    ['no _meta', { _meta: undefined }, -32602],
    ['a list as _meta', { _meta: [] }, -32602],
    ['a number as version', { _meta: envelope({ [version]: 20260728 }) }, -32602],
    ['no capabilities', { _meta: envelope({ [capabilities]: undefined }) }, -32602],
    ['capabilities that are a text', { _meta: envelope({ [capabilities]: 'all' }) }, -32602],
    ['a client without version', { _meta: envelope({ [metaKeys.clientInfo]: { name: 'x' } }) }, -32602],
    ['an unknown log level', { _meta: envelope({ [metaKeys.logLevel]: 'loud' }) }, -32602],
    ['an object as progress token', { _meta: envelope({ progressToken: {} }) }, -32602],
    ['an earlier revision', { _meta: envelope({ [version]: '2025-11-25' }) }, -32022],
    ['a later revision', { _meta: envelope({ [version]: '2099-01-01' }) }, -32022],
  ])('with %s gets 400', async (_, params, code) => {
    const { send } = connectModern(createTestSurface().surface);
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params };
    expect(await statusAndJson(await send(body))).toMatchObject([400, { id: 1, error: { code } }]);
  });

  it('of another revision learns which ones are served', async () => {
    const { ask } = connectModern(createTestSurface().surface);
    expect(await ask('tools/list', {}, { [version]: '2099-01-01' })).toMatchObject({
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } },
    });
  });

  it('of another revision than its header names is refused for that', async () => {
    const { send } = connectModern(createTestSurface().surface);
    const body = modernRequest(1, 'tools/list', {}, { [version]: '2099-01-01' });
    const answer = await send(body, { 'mcp-protocol-version': '2026-07-28' });
    expect(await statusAndJson(answer)).toMatchObject([400, { id: 1, error: { code: -32020 } }]);
  });

  it.each([
    ['no version', { 'mcp-protocol-version': null }],
    ['another version', { 'mcp-protocol-version': '2025-11-25' }],
    ['two versions', { 'mcp-protocol-version': '2026-07-28, 2026-07-28' }],
    ['no method', { 'mcp-method': null }],
    ['another method', { 'mcp-method': 'tools/list' }],
    ['the method in capitals', { 'mcp-method': 'Tools/Call' }],
    ['no name', { 'mcp-name': null }],
    ['another name', { 'mcp-name': 'hang' }],
    ['Base64 of another name', { 'mcp-name': `=?base64?${btoa('hang')}?=` }],
    ['broken Base64', { 'mcp-name': '=?base64?ZWNobw?=' }],
    ['Base64 of bytes that are not UTF-8', { 'mcp-name': '=?base64?/w==?=' }],
  ])('with %s in its headers gets 400', async (_, headers) => {
    const { send } = connectModern(createTestSurface().surface);
    const answer = await send(modernRequest(1, 'tools/call', call), headers);
    expect(await statusAndJson(answer)).toMatchObject([400, { id: 1, error: { code: -32020 } }]);
  });

  it.each([{ 'mcp-name': `=?base64?${btoa('echo')}?=` }, { 'mcp-name': ' echo ' }])(
    'with the headers %j is served',
    async (headers) => {
      const { send } = connectModern(createTestSurface().surface);
      expect((await send(modernRequest(1, 'tools/call', call), headers)).status).toBe(200);
    },
  );

  it.each([
    [[modernRequest(1, 'tools/list')]],
    [{ ...modernRequest(1, 'tools/list'), jsonrpc: '1.0' }],
    [modernRequest(null, 'tools/list')],
    [modernRequest(1.5, 'tools/list')],
    [{ jsonrpc: '2.0', id: 1, result: {}, params: { _meta: envelope() } }],
  ])('%j gets 400', async (body) => {
    const { endpoint } = connectModern(createTestSurface().surface);
    const request = postRequest(headersOf({ method: 'tools/list' }));
    const answer = await endpoint.post(request, body, callerNamed('alice', createTestSurface().surface));
    expect(await statusAndJson(answer)).toMatchObject([400, { id: null, error: { code: -32600 } }]);
  });
});

describe('isModern', () => {
  it.each([
    ['its body', {}, modernRequest(1, 'tools/list'), true],
    ['its header', { 'mcp-protocol-version': '2026-07-28' }, { method: 'tools/list' }, true],
    ['an element of its batch', {}, [{ method: 'ping' }, modernRequest(1, 'tools/list')], true],
    ['neither', { 'mcp-protocol-version': '2025-11-25' }, { method: 'tools/list' }, false],
    ['an unknown header alone', { 'mcp-protocol-version': '2099-01-01' }, { method: 'tools/list' }, false],
  ])('judges a request by %s', (_, headers, body, expected) => {
    expect(isModern(new Headers(headers), body)).toBe(expected);
  });
});

describe('subscriptions/listen', () => {
  const { surface } = createTestSurface();
  const fewer = { ...surface, tools: surface.tools.slice(0, 1) };
  const wanted = { notifications: { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['x'] } };
  const id = { [metaKeys.subscriptionId]: 7 };

  it('reports a list that has changed, until the server ends', async () => {
    const source = new ChangingSurface(surface);
    const { send, clock, endpoint } = connectModern(source);
    const events = readEvents(await send(modernRequest(7, 'subscriptions/listen', wanted)));
    const next = async (): Promise<unknown> => JSON.parse((await events.next()) ?? '');
    expect(await next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true, promptsListChanged: true }, _meta: id },
    });
    source.replace(fewer);
    await clock.advance(200);
    expect(await next()).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { _meta: id } });
    endpoint.close();
    expect(await next()).toMatchObject({ id: 7, result: { resultType: 'complete', _meta: id } });
    expect(await events.next()).toBeNull();
  });

  it('is acknowledged when the lists have loaded, so that no change after them is missed', async () => {
    let release: () => void = () => undefined;
    const loading = new Promise<void>((resolve) => {
      release = resolve;
    });
    class SlowSurface extends ChangingSurface {
      override async current(): Promise<Surface> {
        const current = super.current();
        await loading;
        return current;
      }
    }
    const source = new SlowSurface(surface);
    const { send, clock, endpoint } = connectModern(source);
    const response = send(modernRequest(7, 'subscriptions/listen', wanted));
    source.replace(fewer);
    release();
    const events = readEvents(await response);
    expect(JSON.parse((await events.next()) ?? '')).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
    });
    await clock.advance(200);
    expect(JSON.parse((await events.next()) ?? '')).toMatchObject({ method: 'notifications/tools/list_changed' });
    endpoint.close();
  });

  it('keeps no server from ending', async () => {
    const { send, endpoint } = connectModern(new ChangingSurface(surface));
    const events = readEvents(await send(modernRequest(7, 'subscriptions/listen', wanted)));
    await events.next();
    await endpoint.callsEnded();
    endpoint.close();
    expect(JSON.parse((await events.next()) ?? '')).toMatchObject({ id: 7, result: {} });
  });

  it('is refused to a client that takes no events', async () => {
    const { send } = connectModern(new ChangingSurface(surface));
    const answer = await send(modernRequest(7, 'subscriptions/listen', wanted), { accept: 'application/json' });
    expect(await statusAndJson(answer)).toMatchObject([406, { id: 7, error: { code: -32600 } }]);
  });

  it('ends at once if nothing can change', async () => {
    const { ask } = connectModern(surface);
    expect(await ask('subscriptions/listen', wanted)).toMatchObject({ result: { resultType: 'complete' } });
  });

  it.each([{}, { notifications: [] }, { notifications: { toolsListChanged: 'yes' } }])('refuses %j', async (params) => {
    const { ask } = connectModern(new ChangingSurface(surface));
    expect(await ask('subscriptions/listen', params)).toMatchObject({ error: { code: -32602 } });
  });

  it('HTTP-LISTEN: 10,000 of one caller are bounded at 16, and each frees its place', async () => {
    const source = new ChangingSurface(surface);
    const { send, endpoint } = connectModern(source);
    const callers = Array.from({ length: 10_000 }, () => callerNamed('alice', source));
    let open = 0;
    for (const [id, alice] of callers.entries()) {
      const response = await send(modernRequest(id, 'subscriptions/listen', wanted), {}, alice);
      open += response.headers.get('content-type') === 'text/event-stream' ? 1 : 0;
    }
    expect(open).toBe(16);
    for (const { hangUp } of callers) {
      hangUp();
    }
    const again = async (): Promise<unknown> =>
      (await send(modernRequest(1, 'subscriptions/listen', wanted))).headers.get('content-type');
    await expect.poll(again).toBe('text/event-stream');
    endpoint.close();
  });
});
