import { realServer } from '@gemini-mcp/fake-gemini';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup } from './http-setup.ts';
import type { JsonRpcMessage, McpHttpClient } from './mcp-http-client.ts';
import { clientOf } from './principals.ts';

/** Attacks of mallory on alice, whose servers and request ids have the same names as her own. */
describe("HUB-63: a principal who guesses another's ids", () => {
  let setup: HttpSetup;
  let server: HttpServerProcess;
  let alice: McpHttpClient;
  let mallory: McpHttpClient;

  beforeAll(async () => {
    setup = await HttpSetup.create('api');
    const every = realServer('everything');
    const servers = await setup.writeServers({ own: every, all: { ...every, shared: true } });
    server = await setup.startFor(
      ['alice', 'mallory'].map((name) => ({ name, scopes: ['gemini:query', 'gemini:servers'] })),
      { ...servers, GEMINI_MCP_OFFER_SERVERS: 'all', GEMINI_MCP_OFFER_AS: 'searched' },
      ['--stateful'],
    );
  });

  afterAll(() => setup.dispose());

  beforeEach(async () => {
    [alice, mallory] = [clientOf('alice', server), clientOf('mallory', server)];
    await alice.initialize('e2e', { elicitation: {} });
    await mallory.initialize('e2e', { elicitation: {} });
  });

  afterEach(() => {
    alice.close();
    mallory.close();
  });

  type Hear = (message: JsonRpcMessage) => void;

  const call = (client: McpHttpClient, name: string, args: object, more: { id?: number; onMessage?: Hear } = {}) =>
    client.call('call_tool', { name, arguments: args }, { ...more, progressToken: 'token' });

  it('a session id is unknown to everyone else', async () => {
    const headers = { 'Mcp-Session-Id': alice.sessionId ?? '' };
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await mallory.send({ headers, body: list })).status).toBe(404);
    expect((await mallory.send({ headers, method: 'DELETE' })).status).toBe(404);
    expect((await alice.request('tools/list')).result).toBeDefined();
  });

  it('the address of a resource that a call has created', async () => {
    const args = { name: 'secret.gz', data: 'data:text/plain,secret-of-alice' };
    const made = await alice.request('tools/call', {
      name: 'call_tool',
      arguments: { name: 'own__gzip-file-as-resource', arguments: args },
    });
    const uri = /gemini:\/\/servers\/own\/[^"\s\\]+secret\.gz/.exec(JSON.stringify(made.result))?.[0] ?? '';
    expect((await alice.request('resources/read', { uri })).result).toMatchObject({ contents: [{ uri }] });
    const guessed = await mallory.request('resources/read', { uri });
    expect(guessed.result).toBeUndefined();
    expect(guessed.error?.message).toContain('The server own refused');
  });

  it.each(['own', 'all'])('the id and the progress token of a call of the server %s', async (name) => {
    const progress = { alice: new Set<unknown>(), mallory: new Set<unknown>() };
    const heardBy = (who: keyof typeof progress) => (message: JsonRpcMessage) =>
      message.method === 'notifications/progress' && progress[who].add(message.params?.['message']);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 77 } };
    let cancelling: Promise<unknown> | undefined;
    const onMessage = (message: JsonRpcMessage): void => {
      heardBy('alice')(message);
      cancelling ??= mallory.send({ body: cancelled });
    };
    const operation = `${name}__trigger-long-running-operation`;
    const [ofAlice, ofMallory] = await Promise.all([
      call(alice, operation, { duration: 1, steps: 3 }, { id: 77, onMessage }),
      call(mallory, operation, { duration: 1, steps: 5 }, { id: 78, onMessage: heardBy('mallory') }),
    ]);
    await cancelling;
    expect(ofAlice.text).toContain('Steps: 3');
    expect(ofMallory.text).toContain('Steps: 5');
    // Steps that arrive together with the end are not all reported.
    expect([...progress.alice].join()).toMatch(/^(?:\w+: \d of 3(?:,| · )?)+$/);
    expect([...progress.mallory].join()).toMatch(/^(?:\w+: \d of 5(?:,| · )?)+$/);
  });

  it('the id of a question to its user', async () => {
    const answer = (id: unknown, name: string) => ({
      jsonrpc: '2.0',
      id,
      result: { action: 'accept', content: { field1: name } },
    });
    const forged: number[] = [];
    const asked: string[] = [];
    const onMessage = ({ method, id, params }: JsonRpcMessage): void => {
      if (method !== 'elicitation/create') {
        return;
      }
      asked.push(String(params?.['message']));
      const inHerSession = { 'Mcp-Session-Id': alice.sessionId ?? '' };
      void Promise.all([
        mallory.send({ body: answer(id, 'Mallory') }),
        mallory.send({ body: answer(id, 'Mallory'), headers: inHerSession }),
      ]).then(([own, hers]) => {
        forged.push(own.status, hers.status);
        return alice.send({ body: answer(id, 'Alice') });
      });
    };
    const { text } = await call(alice, 'own__trigger-elicitation-request', {}, { onMessage });
    expect(asked).toHaveLength(1);
    expect(text).toContain('Alice');
    expect(text).not.toContain('Mallory');
    expect(forged).toEqual([202, 404]);
  });
});
