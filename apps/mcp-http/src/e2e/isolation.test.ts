import { type CliStep, cliAnswer, cliOpening, whenInvoked } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup } from './http-setup.ts';
import type { JsonRpcMessage, McpHttpClient } from './mcp-http-client.ts';
import { clientOf, tokenOf } from './principals.ts';

const secret = 'CANARY-of-alice';
const unknownId = '11111111-2222-4333-8444-555555555555';
const unknownHandle = '0123456789abcdefghjkmnpqrs';

let setup: HttpSetup;
let server: HttpServerProcess;
let alice: McpHttpClient;
let bob: McpHttpClient;

beforeEach(async () => {
  setup = await HttpSetup.create();
});

afterEach(async () => {
  alice.close();
  bob.close();
  await setup.dispose();
});

async function startWith(run: readonly CliStep[], environment: Readonly<Record<string, string>> = {}): Promise<void> {
  await setup.playCli(run);
  server = await setup.startFor([{ name: 'alice' }, { name: 'bob' }], environment);
  alice = clientOf('alice', server);
  bob = clientOf('bob', server);
}

/** A response without the names of the request. */
async function answerTo(message: Promise<JsonRpcMessage>, named: string): Promise<string> {
  const { result, error } = await message;
  return JSON.stringify({ result, error }).replaceAll(named, '<the requested name>');
}

/** The REST response to one of two principals, without the names of the request. */
async function rest(name: string, path: string, body: Readonly<Record<string, unknown>>): Promise<string> {
  const answer = await fetch(`${server.origin}/api/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${tokenOf(name)}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return `${answer.status} ${(await answer.text()).replace(/"requestId":"[^"]+"/, '')}`;
}

/** Everything that a client can list, as one text. */
async function everythingListed(client: McpHttpClient): Promise<string> {
  const complete = (uri: string, name: string): Promise<JsonRpcMessage> =>
    client.request('completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name, value: '' } });
  return JSON.stringify([
    await client.request('resources/list'),
    await client.request('resources/read', { uri: 'gemini://sessions' }),
    await client.request('resources/read', { uri: 'gemini://answers' }),
    await client.call('chat-reply', { prompt: 'x', sessionId: unknownId }),
    await client.call('chat-delete', { sessionId: unknownId }),
    await client.call('gemini_read', { handle: unknownHandle }),
    await client.call('gemini_job', { handle: unknownHandle }),
    await complete('gemini://sessions/{id}', 'id'),
    await complete('gemini://answers/{handle}', 'handle'),
  ]);
}

describe('two principals of one HTTP server', () => {
  it("see each other's sessions as unknown ids", async () => {
    await startWith(cliAnswer(`${secret} answers`));
    const { meta } = await alice.call('chat', { prompt: `${secret} asks` });
    const sessionId = String(meta['sessionId']);
    const uri = `gemini://sessions/${sessionId}`;
    const read = (client: McpHttpClient, id: string): Promise<string> =>
      answerTo(client.request('resources/read', { uri: `gemini://sessions/${id}` }), id);
    expect(await read(alice, sessionId)).toContain(secret);
    expect(await bob.call('chat-reply', { prompt: 'x', sessionId })).toEqual(
      await bob.call('chat-reply', { prompt: 'x', sessionId: unknownId }),
    );
    expect(await bob.call('chat-reply', { prompt: 'continues with the newest' })).toMatchObject({ isError: true });
    expect(await read(bob, sessionId)).toBe(await read(bob, unknownId));
    expect(await read(bob, sessionId)).toContain('-32002');
    const deleting = await bob.call('chat-delete', { sessionId });
    expect(deleting).toEqual(await bob.call('chat-delete', { sessionId: unknownId }));
    expect(deleting).toMatchObject({ isError: true });
    const overRest = await rest('bob', 'chat-reply', { prompt: 'x', sessionId });
    expect(overRest).toMatch(/^404 /);
    expect(overRest).toBe(await rest('bob', 'chat-reply', { prompt: 'x', sessionId: unknownId }));
    const seen = await everythingListed(bob);
    expect(seen).not.toContain(secret);
    expect(seen).not.toContain(sessionId);
    expect(await everythingListed(alice)).toContain(uri);
    // Only alice has made the CLI run, and her conversation continues.
    expect(await whenInvoked(setup.cliDirectory, 1)).toHaveLength(1);
    expect(await alice.call('chat-reply', { prompt: 'x', sessionId })).toMatchObject({ isError: false });
  });

  it("see each other's long answers as unknown handles", async () => {
    await startWith(cliAnswer(`${secret} `.repeat(4_000)));
    const first = await alice.call('geminiChat', { prompt: `${secret} asks` });
    const handle = /handle "([^"]+)"/.exec(first.text)?.[1] ?? '';
    const read = (client: McpHttpClient, named: string): Promise<string> =>
      answerTo(client.request('resources/read', { uri: `gemini://answers/${named}` }), named);
    expect(await read(alice, handle)).toContain(secret);
    expect(await bob.call('gemini_read', { handle })).toEqual(await bob.call('gemini_read', { handle: unknownHandle }));
    expect(await read(bob, handle)).toBe(await read(bob, unknownHandle));
    expect(await read(bob, handle)).toContain('-32002');
    const overRest = await rest('bob', 'gemini-read', { handle });
    expect(overRest).toMatch(/^404 /);
    expect(overRest).toBe(await rest('bob', 'gemini-read', { handle: unknownHandle }));
    const seen = await everythingListed(bob);
    expect(seen).not.toContain(secret);
    expect(seen).not.toContain(handle);
    expect(await everythingListed(alice)).toContain(`gemini://answers/${handle}`);
  });

  it("neither see, wait for nor cancel each other's jobs", async () => {
    await startWith([...cliOpening(), { do: 'text', chunks: [secret] }, { do: 'hang' }]);
    const started = await alice.call('geminiChat', { prompt: `${secret} asks`, background: true });
    const handle = String(started.meta['jobHandle']);
    await whenInvoked(setup.cliDirectory, 1);
    const invented = await bob.call('gemini_job', { handle: unknownHandle, action: 'cancel' });
    expect(invented).toMatchObject({ isError: true });
    for (const action of ['status', 'wait', 'cancel']) {
      expect(await bob.call('gemini_job', { handle, action, timeout: 1 })).toEqual(invented);
      expect(await rest('bob', 'gemini-job', { handle, action, timeout: 1 })).toMatch(/^404 /);
    }
    expect(await everythingListed(bob)).not.toContain(secret);
    expect((await alice.call('gemini_job', { handle })).meta).toMatchObject({ jobState: 'running' });
    expect((await alice.call('gemini_job', { handle, action: 'cancel' })).meta).toMatchObject({
      jobState: 'cancelled',
    });
  });

  it('find their own again, by every request, and after a restart', async () => {
    await startWith(cliAnswer('remembered'));
    const { meta } = await alice.call('chat', { prompt: 'one' });
    const sessionId = String(meta['sessionId']);
    server.kill('SIGTERM');
    await server.ended;
    await startWith(cliAnswer('remembered'));
    expect(await rest('alice', 'chat-reply', { prompt: 'two', sessionId })).toMatch(/^200 /);
    expect(await everythingListed(alice)).toContain(sessionId);
    expect(await rest('bob', 'chat-reply', { prompt: 'two', sessionId })).toMatch(/^404 /);
  });
});

describe('HTTP-07: two principals of a server with protocol sessions', () => {
  it("a request with the other's session is answered like one with an unknown session, and does not affect it", async () => {
    await startWith(cliAnswer('ok'), { GEMINI_MCP_STATEFUL: '1' });
    await alice.initialize();
    await bob.initialize();
    for (const method of ['POST', 'GET', 'DELETE'] as const) {
      const send = (client: McpHttpClient, sessionId: string | null) =>
        client.send({
          method,
          headers: { 'Mcp-Session-Id': sessionId ?? '', 'MCP-Protocol-Version': '2025-11-25' },
          ...(method === 'POST' && { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }),
        });
      const stolen = await send(bob, alice.sessionId);
      const invented = await send(bob, unknownId);
      expect(stolen.status).toBe(404);
      expect([stolen.status, stolen.text]).toEqual([invented.status, invented.text]);
      expect(await alice.request('tools/list')).toHaveProperty('result');
    }
    // She may end her own.
    expect((await alice.send({ method: 'DELETE' })).status).toBe(200);
    expect((await alice.send({ body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })).status).toBe(404);
    expect(await bob.request('tools/list')).toHaveProperty('result');
  });
});
