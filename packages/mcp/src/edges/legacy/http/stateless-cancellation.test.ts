import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it } from 'vitest';
import { callerNamed, callTool, initialize, messagesOf, postRequest, rpc } from '../../testing/http-caller.ts';
import { setUpStateless } from './testing/set-up-stateless.ts';

const cancel = (requestId: unknown): object => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason: 'the user pressed Escape' },
});

const asClient = (id: string): Record<string, string> => ({ 'mcp-session-id': id });

describe('the client id of initialize, without sessions', () => {
  it('is different for each client, and no request needs it', async () => {
    const { post } = setUpStateless();
    const ids = await Promise.all(
      [initialize, initialize].map(async (body) => (await post(body)).headers.get('mcp-session-id')),
    );
    expect(new Set(ids).size).toBe(2);
    expect(ids.join(' ')).toMatch(/^[0-9a-f-]{36} [0-9a-f-]{36}$/);
    const answers = [{}, asClient('given-by-another-server'), asClient('x'.repeat(4_000)), asClient('ä b')].map(
      async (headers) => (await post(rpc(1, 'tools/list'), headers)).status,
    );
    expect(await Promise.all(answers)).toEqual([200, 200, 200, 200]);
  });

  it('is given with no other answer, and not with a refusal', async () => {
    const { post } = setUpStateless();
    const responses = [
      post(rpc(1, 'tools/list'), asClient('one')),
      post(rpc(2, 'initialize', {})),
      post(initialize, { accept: 'application/json' }),
    ];
    for (const response of responses) {
      expect((await response).headers.get('mcp-session-id')).toBeNull();
    }
  });
});

describe('CANCEL-01: a notification that cancels a call, without sessions', () => {
  it.each([0, 1, '', 'x'])('ends the call of the id %j and its open request', async (id) => {
    const { post, begun, hanging, endpoint, log } = setUpStateless();
    const response = await post(callTool(id, 'hang'), asClient('one'));
    await post(callTool('other', 'hang'), asClient('one'));
    await begun(2);
    expect((await post(cancel(id), asClient('one'))).status).toBe(202);
    expect(await messagesOf(response)).toEqual([]);
    expect(hanging.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    expect((await post(cancel(id), asClient('one'))).status).toBe(202);
    hanging[1]?.finish();
    await endpoint.callsEnded();
    expect(log).toEqual([]);
  });

  it('distinguishes the number 1 from the text "1"', async () => {
    const { post, begun, hanging } = setUpStateless();
    await post(callTool(1, 'hang'), asClient('one'));
    await begun(1);
    await post(callTool('1', 'hang'), asClient('one'));
    await begun(2);
    await post(cancel('1'), asClient('one'));
    expect(hanging.map(({ signal }) => signal.aborted)).toEqual([false, true]);
  });

  it.each([null, undefined, {}, [1], true, 'never'])('does nothing for the id %j', async (id) => {
    const { post, begun, hanging } = setUpStateless();
    await post(callTool(1, 'hang'), asClient('one'));
    await begun(1);
    expect((await post(cancel(id), asClient('one'))).status).toBeLessThan(500);
    expect(hanging[0]?.signal.aborted).toBe(false);
  });

  it('of a call that has ended leaves a later call with its id alone', async () => {
    const { post, begun, hanging } = setUpStateless();
    await (await post(callTool(1, 'echo'), asClient('one'))).text();
    await post(cancel(1), asClient('one'));
    await post(callTool(1, 'hang'), asClient('one'));
    await begun(1);
    expect(hanging[0]?.signal.aborted).toBe(false);
  });
});

describe('CANCEL-02: a notification reaches no call of another client, without sessions', () => {
  it('with the same token and the same request id', async () => {
    const { post, begun, hanging } = setUpStateless();
    await post(callTool(3, 'hang'), asClient('window-one'));
    await begun(1);
    await post(callTool(3, 'hang'), asClient('window-two'));
    await begun(2);
    await post(cancel(3), asClient('window-two'));
    expect(hanging.map(({ signal }) => signal.aborted)).toEqual([false, true]);
  });

  it('of another principal, although it names the same client id', async () => {
    const { endpoint, surface, post, begun, hanging } = setUpStateless();
    await post(callTool(3, 'hang'), asClient('one'));
    await begun(1);
    const refused = await endpoint.post(postRequest(asClient('one')), cancel(3), callerNamed('bob', surface));
    expect(refused.status).toBe(202);
    expect(hanging[0]?.signal.aborted).toBe(false);
  });

  it.each([
    ['only the notification has it', {}, asClient('one')],
    ['only the call has it', asClient('one'), {}],
    ['neither has one', {}, {}],
    ['both have one that is too long', asClient('x'.repeat(4_000)), asClient('x'.repeat(4_000))],
  ])('where the client id is missing: %s', async (_, callHeaders, cancelHeaders) => {
    const { post, begun, hanging } = setUpStateless();
    await post(callTool(3, 'hang'), callHeaders);
    await begun(1);
    await post(cancel(3), cancelHeaders);
    expect(hanging[0]?.signal.aborted).toBe(false);
  });
});

describe('CANCEL-03: a notification comes at any moment, without sessions', () => {
  it.each(Array.from({ length: 16 }, (_, turns) => turns))('%i turns after the call', async (turns) => {
    const { endpoint, post, hanging } = setUpStateless();
    const response = post(callTool(1, 'hang'), asClient('one'));
    for (let turn = 0; turn < turns; turn += 1) {
      await Promise.resolve();
    }
    await post(cancel(1), asClient('one'));
    expect(await messagesOf(await response)).toEqual([]);
    await endpoint.callsEnded();
    await new Promise(setImmediate);
    expect(hanging.filter(({ signal }) => !signal.aborted)).toEqual([]);
  });

  it('in a batch, with another call that goes on and is answered on the same stream', async () => {
    const { post, begun, hanging, endpoint } = setUpStateless();
    const response = await post([callTool(1, 'hang'), callTool(2, 'hang')], asClient('one'));
    await begun(2);
    await post([cancel(1), cancel(9)], asClient('one'));
    expect(hanging.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    hanging[1]?.finish();
    expect(await messagesOf(response)).toMatchObject([
      { id: 1, error: { code: -32_000 } },
      { id: 2, result: {} },
    ]);
    await endpoint.callsEnded();
  });

  it('in the same batch as its call', async () => {
    const { post, hanging, endpoint } = setUpStateless();
    const response = await post([callTool(1, 'hang'), cancel(1)], asClient('one'));
    expect(await messagesOf(response)).toEqual([]);
    await endpoint.callsEnded();
    expect(hanging).toEqual([]);
  });

  it('if the answer would be JSON: the request is still answered', async () => {
    const { post } = setUpStateless();
    const response = post(rpc(1, 'tools/list'), asClient('one'));
    await post(cancel(1), asClient('one'));
    expect(await messagesOf(await response)).toHaveLength(1);
  });
});

describe("CANCEL-04: the SDK's client that aborts a call, without sessions", () => {
  it('ends it at the server, although it leaves the request open', async () => {
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
    const pressing = new AbortController();
    const call = client.callTool({ name: 'hang' }, undefined, { signal: pressing.signal });
    const other = client.callTool({ name: 'hang' });
    await begun(2);
    pressing.abort('the user pressed Escape');
    await expect(call).rejects.toThrow();
    const [first, second] = hanging;
    await expect.poll(() => first?.signal.aborted).toBe(true);
    second?.finish();
    expect((await other).content).toEqual([{ type: 'text', text: 'finished' }]);
    await client.close();
    await endpoint.callsEnded();
  });
});
