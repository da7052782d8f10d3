import { text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup } from './http-setup.ts';
import type { HttpAnswer, McpHttpClient } from './mcp-http-client.ts';
import { clientOf } from './principals.ts';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

const people = [{ name: 'alice' }, { name: 'bob' }];

describe('tasks of revision 2026-07-28, the built server over HTTP', () => {
  let setup: HttpSetup;
  let clients: McpHttpClient[];
  let finish: () => void;
  let later: Promise<void>;

  beforeEach(async () => {
    clients = [];
    setup = await HttpSetup.create('api');
    later = new Promise((resolve) => {
      finish = resolve;
    });
    setup.api.reply(text(['The first half ', { text: 'and the second.', after: later }]));
  });

  afterEach(async () => {
    for (const client of clients) {
      client.close();
    }
    await setup.dispose();
  });

  function start(): Promise<HttpServerProcess> {
    return setup.startFor(people, { GEMINI_MCP_CALL_LIMIT_SECONDS: '2', GEMINI_MCP_HTTP_RATE_LIMIT: '0' });
  }

  /** Sends a request on a new connection. `mcp-name` repeats the body unless given. */
  function post(name: string, server: HttpServerProcess, [method, params, header]: Posted): Promise<HttpAnswer> {
    const client = clientOf(name, server);
    clients.push(client);
    const named = header ?? String(params['name'] ?? params['taskId']);
    return client.send({
      headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, 'Mcp-Name': named },
      body: { jsonrpc: '2.0', id: 1, method, params: { _meta: meta, ...params } },
    });
  }

  type Posted = readonly [method: string, params: Readonly<Record<string, unknown>>, header?: string];

  async function resultOf(answer: Promise<HttpAnswer>): Promise<Readonly<Record<string, unknown>>> {
    return (await answer).messages.at(-1)?.result ?? {};
  }

  it('TASK-OWNER: one principal has its task, also after a restart, and no other one finds or ends it', async () => {
    const server = await start();
    const call = { name: 'gemini_query', arguments: { prompt: 'Think long' } };
    const created = await resultOf(post('alice', server, ['tools/call', call]));
    expect(created).toMatchObject({ resultType: 'task', status: 'working' });
    const taskId = String(created['taskId']);
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { messages } = await post('bob', server, [method, { taskId, inputResponses: {} }]);
      expect(messages).toMatchObject([{ error: { code: -32602 } }]);
    }
    const status = async (): Promise<unknown> =>
      (await resultOf(post('alice', server, ['tasks/get', { taskId }])))['status'];
    expect(await status()).toBe('working');
    finish();
    await expect.poll(status).toBe('completed');
    server.kill('SIGTERM');
    await server.ended;
    expect(await resultOf(post('alice', await start(), ['tasks/get', { taskId }]))).toMatchObject({
      ...{ status: 'completed', result: { content: [{ text: 'The first half and the second.' }, {}] } },
    });
    expect(setup.api.requests).toHaveLength(1);
  });

  it('refuses headers that differ with 400, and a client without the extension with 400', async () => {
    const server = await start();
    const other = await post('alice', server, ['tasks/get', { taskId: 'one' }, 'two']);
    expect([other.status, other.messages[0]?.error?.code]).toEqual([400, -32020]);
    const bare = { ...meta, 'io.modelcontextprotocol/clientCapabilities': {} };
    const refused = await post('alice', server, ['tasks/get', { taskId: 'one', _meta: bare }]);
    expect([refused.status, refused.messages[0]?.error?.code]).toEqual([400, -32021]);
    finish();
  });
});
