import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildWatch, watchChildren } from '@gemini-mcp/fake-gemini';
import { grounded, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup, token } from './http-setup.ts';
import { McpHttpClient } from './mcp-http-client.ts';

let setup: HttpSetup;
let children: ChildWatch;
let clients: McpHttpClient[];

beforeEach(async () => {
  clients = [];
  setup = await HttpSetup.create();
  children = await watchChildren(setup.root);
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

describe('the built HTTP server with a key, where no CLI is installed', () => {
  const start = (): Promise<HttpServerProcess> => setup.startWithoutCli(children.environment);

  afterEach(async () => {
    expect(await children.started()).toEqual([]);
  });

  it('answers about a PDF, searches, and is ready', async () => {
    await writeFile(join(setup.project, 'a.pdf'), '%PDF-1.4\n%%EOF\n');
    const server = await start();
    const client = clientOf(server);
    setup.api.reply(text('An empty page.'));
    const answer = await client.call('gemini_query', { prompt: 'What is it?', files: ['a.pdf'] });
    expect(answer.text).toMatch(/^An empty page\.[\s\S]*\nWay: Gemini API \(API key\)\n/);
    setup.api.reply(grounded('Red.', [{ title: 'example.org', url: 'https://example.org/fox' }], ['foxes']));
    expect((await client.call('googleSearch', { query: 'Foxes?' })).text).toMatch(/^Red\./);
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  });

  it('goes on with a conversation after a restart', async () => {
    setup.api.reply(text('A canary.'));
    const first = await start();
    const begun = await clientOf(first).call('chat', { prompt: 'Name a bird.' });
    expect(begun.isError).toBe(false);
    first.kill('SIGTERM');
    await first.ended;
    const { sessionId } = begun.meta;
    const reply = await clientOf(await start()).call('chat-reply', { prompt: 'Which colour?', sessionId });
    expect(reply.isError).toBe(false);
    expect(JSON.stringify(setup.api.requests.at(-1)?.contents)).toMatch(/Name a bird.*A canary.*Which colour/);
  });

  it('says in the account of REST by which way an answer came', async () => {
    setup.api.reply(text('Yes.'));
    const server = await start();
    const response = await fetch(`${server.origin}/api/gemini-query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'Hi' }),
    });
    expect(await response.json()).toMatchObject({
      answer: 'Yes.',
      account: {
        carriedBy: { runner: 'api', by: 'Gemini API', login: 'API key' },
        attempts: [{ carriedBy: { runner: 'api' } }],
      },
    });
  });
});
