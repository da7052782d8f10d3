import { text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup, token } from './http-setup.ts';
import { McpHttpClient } from './mcp-http-client.ts';

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

function clientOf({ origin }: HttpServerProcess, its: string = token): McpHttpClient {
  const client = new McpHttpClient({ origin, token: its });
  clients.push(client);
  return client;
}

function portOf({ origin }: HttpServerProcess): string {
  return new URL(origin).port;
}

/** The model's last input. */
function lastAsked(): string {
  return JSON.stringify(setup.api.requests.at(-1)?.contents);
}

describe('a restart of the built HTTP server on the same state directory', () => {
  beforeEach(async () => {
    setup = await HttpSetup.create('api');
    setup.api.reply(text('a canary'));
  });

  it('after SIGKILL a conversation continues, also with a token created at the start', async () => {
    const first = await setup.start();
    const begun = await clientOf(first).call('chat', { prompt: 'Name a bird.' });
    expect(begun.isError).toBe(false);
    first.kill('SIGKILL');
    await first.ended;
    const second = await setup.spawn({ GEMINI_MCP_PORT: '0' }).ready();
    await second.until(() => second.printedToken !== '');
    const { sessionId } = begun.meta;
    const client = clientOf(second, second.printedToken);
    const reply = await client.call('chat-reply', { prompt: 'Which colour has it?', sessionId });
    expect(reply.isError).toBe(false);
    expect(lastAsked()).toMatch(/Name a bird\..*a canary.*Which colour has it\?/);
    const { result } = await client.request('resources/read', { uri: `gemini://sessions/${String(sessionId)}` });
    expect(JSON.stringify(result)).toMatch(/Name a bird\..*Which colour has it\?/);
  });

  it('without sessions a client continues as if nothing had happened', async () => {
    const first = await setup.start();
    const client = clientOf(first);
    await client.initialize();
    const begun = await client.call('chat', { prompt: 'Name a bird.' });
    first.kill('SIGTERM');
    await first.ended;
    await setup.start({ GEMINI_MCP_PORT: portOf(first) });
    const { sessionId } = begun.meta;
    expect(await client.call('chat-reply', { prompt: 'And now?', sessionId })).toMatchObject({ isError: false });
    expect(lastAsked()).toContain('Name a bird.');
  });

  it('a call that became a job has its answer whole, from a new connection and after the restart', async () => {
    let finish = (): void => undefined;
    const later = new Promise<void>((resolve) => {
      finish = resolve;
    });
    setup.api.reply(text(['a long ', { text: 'canary', after: later }]));
    const first = await setup.start({ GEMINI_MCP_CALL_LIMIT_SECONDS: '2' });
    const asking = clientOf(first);
    const handedOver = await asking.call('chat', { prompt: 'Name a bird.' });
    expect(handedOver.meta).toMatchObject({ jobState: 'running' });
    const job = { handle: handedOver.meta['jobHandle'], action: 'wait' };
    asking.close();
    finish();
    expect((await clientOf(first).call('gemini_job', job)).text).toContain('a long canary');
    first.kill('SIGTERM');
    await first.ended;
    const second = await setup.start();
    expect((await clientOf(second).call('gemini_job', job)).text).toContain('a long canary');
    expect(setup.api.requests).toHaveLength(1);
  });

  it('with sessions a client gets 404 for its old one, and opens another', async () => {
    const first = await setup.start({}, ['--stateful']);
    const client = clientOf(first);
    await client.initialize();
    expect(client.sessionId).not.toBeNull();
    first.kill('SIGTERM');
    await first.ended;
    await setup.start({ GEMINI_MCP_PORT: portOf(first) }, ['--stateful']);
    const lost = await client.send({ body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    expect(lost.status).toBe(404);
    await client.initialize();
    expect(await client.request('tools/list')).toHaveProperty('result');
  });
});
