import { describe, expect, it } from 'vitest';
import { initialize, messagesOf, rpc } from '../../testing/http-caller.ts';
import { setUpStateless } from './testing/set-up-stateless.ts';

describe('the endpoint without sessions refuses', () => {
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
    ['an unknown version', { 'mcp-protocol-version': '1999-01-01' }, 400],
  ])('%s', async (_what, headers, status) => {
    const { post } = setUpStateless();
    expect(await refusalOf(post(rpc(1, 'tools/list'), headers))).toEqual([status, null, -32_000]);
  });

  it('a probe for a revision to come, so that the client falls back to one that it shares', async () => {
    const { post } = setUpStateless();
    const probe = rpc(0, 'server/discover', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } });
    const response = await post(probe, { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'server/discover' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: -32_022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } },
    });
    expect((await post(initialize)).status).toBe(200);
  });

  it.each([null, 5, 'text', true, {}, { jsonrpc: '1.0', id: 1, method: 'ping' }, rpc({}, 'ping'), rpc(1.5, 'ping')])(
    'the body %j',
    async (body) => {
      const { post } = setUpStateless();
      const [status, id, code] = [await refusalOf(post(body))].flat();
      expect([status, id]).toEqual([400, null]);
      expect([-32_600, -32_700]).toContain(code);
    },
  );

  it('initialize without its parameters', async () => {
    const { post } = setUpStateless();
    expect(await refusalOf(post(rpc(3, 'initialize', { protocolVersion: 5 })))).toEqual([400, 3, -32_602]);
    expect(await refusalOf(post(rpc({}, 'initialize')))).toEqual([400, null, -32_602]);
  });

  const ping = rpc(1, 'ping');

  it.each([
    ['is empty', [], null],
    ['is nested', [[ping]], null],
    ['holds 101 messages', Array.from({ length: 101 }, (_, id) => rpc(id, 'ping')), null],
    ['comes with a version without batches', [ping], '2025-06-18'],
    ['comes with a later version', [ping], '2025-11-25'],
    ['holds an initialize', [initialize], null],
    ['holds an id twice', [ping, ping], null],
    ['holds a value that is not an object', [ping, 5], null],
  ])('HTTP-11: a batch that %s', async (_what, body, version) => {
    const { post } = setUpStateless();
    expect(await refusalOf(post(body, { 'mcp-protocol-version': version }))).toEqual([400, null, -32_600]);
  });

  it('a body of 100,000 levels', async () => {
    const { post } = setUpStateless();
    const levels = 100_000;
    const deep: unknown = JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    expect(await refusalOf(post(deep))).toEqual([400, null, -32_600]);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { word: deep } } };
    const [answer] = await messagesOf(await post(call));
    expect(answer).toMatchObject({ id: 1, result: { isError: true } });
  });
});
