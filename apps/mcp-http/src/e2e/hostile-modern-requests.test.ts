import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { cliOpening, whenInvoked } from '@gemini-mcp/fake-gemini';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup, token } from './http-setup.ts';
import { McpHttpClient } from './mcp-http-client.ts';
import { tokenOf } from './principals.ts';
import { readMetric } from './read-metric.ts';

const version = '2026-07-28';
const [versionKey, capabilitiesKey] = ['protocolVersion', 'clientCapabilities'].map(
  (name) => `io.modelcontextprotocol/${name}`,
) as [string, string];
const meta = JSON.stringify({ [versionKey]: version, [capabilitiesKey]: {} });

type Headers = Readonly<Record<string, string | readonly string[]>>;

/** Sends these bytes with these headers, doubled ones as two. Resolves to the status and to the answer. */
function post(server: HttpServerProcess, headers: Headers, body: string): Promise<readonly [number, unknown]> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL('/mcp', server.origin), {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': version,
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()])),
      },
    });
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      json(incoming).then((answer) => resolve([incoming.statusCode ?? 0, answer]), reject);
    });
    outgoing.end(body);
  });
}

const listHeaders: Headers = { 'Mcp-Method': 'tools/list' };
const callHeaders: Headers = { 'Mcp-Method': 'tools/call', 'Mcp-Name': 'gemini_context' };

const refusal = (code: number): unknown => [400, { jsonrpc: '2.0', id: 1, error: expect.objectContaining({ code }) }];

describe('hostile requests of revision 2026-07-28 to the built HTTP server', () => {
  let setup: HttpSetup;
  let server: HttpServerProcess;

  beforeAll(async () => {
    setup = await HttpSetup.create('api');
    server = await setup.startFor([{ name: 'guest', scopes: ['gemini:query'] }]);
  });

  afterAll(() => setup.dispose());

  it.each([
    ['the version', { ...listHeaders, 'MCP-Protocol-Version': [version, version] }],
    ['two versions', { ...listHeaders, 'MCP-Protocol-Version': ['2025-11-25', version] }],
    ['the method', { 'Mcp-Method': ['tools/list', 'tools/list'] }],
    ['two methods', { 'Mcp-Method': ['tools/list', 'tools/call'] }],
  ])('a header that is there twice, for %s, is refused', async (_, headers) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":${meta}}}`;
    expect(await post(server, headers, body)).toEqual(refusal(-32020));
  });

  it.each([
    [
      'the method',
      listHeaders,
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":{"name":"gemini_context","_meta":${meta}}}`,
      -32020,
    ],
    [
      'the tool',
      callHeaders,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"gemini_context","n\\u0061me":"gemini_agent","_meta":${meta}}}`,
      -32020,
    ],
    [
      'the parameters',
      listHeaders,
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":${meta}},"params":{}}`,
      -32602,
    ],
    [
      '_meta',
      listHeaders,
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":${meta},"_meta":{}}}`,
      -32602,
    ],
    [
      'the version',
      listHeaders,
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"${versionKey}":"${version}","${versionKey}":"2025-11-25","${capabilitiesKey}":{}}}}`,
      -32020,
    ],
  ])('a body that names %s twice counts by the last, and has to fit the headers', async (_, headers, body, code) => {
    expect(await post(server, headers, body)).toEqual(refusal(code));
  });

  it.each([
    ['_meta', `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{"_meta":${meta}}}}`],
    ['fields of _meta', `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"__proto__":${meta}}}}`],
  ])('a prototype does not bring in %s', async (_, body) => {
    expect(await post(server, listHeaders, body)).toEqual(refusal(-32602));
  });

  it('a prototype does not bring in a client', async () => {
    const forged = `{"${versionKey}":"${version}","${capabilitiesKey}":{},"io.modelcontextprotocol/clientInfo":{"__proto__":{"name":"x","version":"1"}}}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":${forged}}}`;
    expect(await post(server, listHeaders, body)).toEqual(refusal(-32602));
  });

  it('a tool is refused to a caller without its scope, whatever the headers say', async () => {
    const guest = { Authorization: `Bearer ${tokenOf('guest')}` };
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"gemini_agent","_meta":${meta}}}`;
    for (const headers of [listHeaders, { 'Mcp-Method': 'tools/call', 'Mcp-Name': 'gemini_query' }]) {
      const [status] = await post(server, { ...headers, ...guest }, body);
      expect(status).toBe(403);
    }
  });

  it.each(['GET', 'DELETE'])('%s is not allowed', async (method) => {
    const headers = { Authorization: `Bearer ${token}`, 'MCP-Protocol-Version': version };
    expect((await fetch(`${server.origin}/mcp`, { method, headers })).status).toBe(405);
  });
});

describe('both eras on one built HTTP server', () => {
  let setup: HttpSetup;
  let clients: McpHttpClient[];

  beforeEach(() => {
    clients = [];
  });

  afterEach(async () => {
    for (const client of clients) {
      client.close();
    }
    await setup.dispose();
  });

  function clientOf({ origin }: HttpServerProcess): McpHttpClient {
    const client = new McpHttpClient({ origin, token });
    clients.push(client);
    return client;
  }

  it('leave each other alone, with the same ids and in one session', async () => {
    setup = await HttpSetup.create('api');
    const server = await setup.start({}, ['--stateful']);
    const legacy = clientOf(server);
    await legacy.initialize();
    const headers = { ...listHeaders, 'Mcp-Session-Id': String(legacy.sessionId) };
    const modern = `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":${meta}}}`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        index % 2 === 0 ? (await post(server, headers, modern))[1] : legacy.request('tools/list', {}, { id: 7 }),
      ),
    );
    const types = answers.map((answer) => (answer as { result: { resultType?: string } }).result.resultType);
    expect(types).toEqual(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'complete' : undefined)));
    expect((await legacy.request('ping')).result).toEqual({});
  });
});

describe('a client of revision 2026-07-28 that goes', () => {
  let setup: HttpSetup;

  afterEach(() => setup.dispose());

  const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"gemini_query","arguments":{"prompt":"Hi"},"_meta":${meta.replace('{', '{"progressToken":1,')}}}`;

  /** Sends this much of a call, and goes when `moment` says so, or when the response has begun. */
  async function sendAndGo(server: HttpServerProcess, length: number, moment: Promise<unknown> | null): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const outgoing = request(new URL('/mcp', server.origin), {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(call),
          'MCP-Protocol-Version': version,
          'Mcp-Method': 'tools/call',
          'Mcp-Name': 'gemini_query',
        },
      });
      outgoing.once('close', resolve).once('error', () => undefined);
      outgoing.once('response', (incoming) => incoming.once('data', () => outgoing.destroy()));
      outgoing.write(call.slice(0, length));
      moment?.then(() => outgoing.destroy(), reject);
    });
  }

  it.each([
    ['in the middle of its body', () => ({ length: call.length - 1, moment: Promise.resolve() })],
    ['right after its body', () => ({ length: call.length, moment: Promise.resolve() })],
    ['when its call runs', () => ({ length: call.length, moment: whenInvoked(setup.cliDirectory, 1) })],
    ['when its progress comes', () => ({ length: call.length, moment: null })],
  ])('%s leaves no process and no slot taken', async (_, how) => {
    setup = await HttpSetup.create('headless');
    await setup.playCli([...cliOpening(), { do: 'hang' }]);
    const server = await setup.start({ GEMINI_MCP_MAX_RUNNING: '1' });
    const { length, moment } = how();
    await sendAndGo(server, length, moment);
    expect(await setup.lastingLeftovers()).toEqual([]);
    await expect.poll(() => readMetric(server, 'gemini_mcp_queue_running')).toBe(0);
    expect(server.stderr).not.toContain('"level":"error"');
  });
});
