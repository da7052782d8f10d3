import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildWatch, watchChildren } from '@gemini-mcp/fake-gemini';
import { grounded, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
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

// Its other functions without a CLI are tested over stdio.
it('with a key and without a CLI, the built HTTP server answers about a PDF, searches, and is ready', async () => {
  await writeFile(join(setup.project, 'a.pdf'), '%PDF-1.4\n%%EOF\n');
  const server = await setup.startWithoutCli(children.environment);
  const client = clientOf(server);
  setup.api.reply(text('An empty page.'));
  const answer = await client.call('gemini_query', { prompt: 'What is it?', files: ['a.pdf'] });
  expect(answer.text).toMatch(/^An empty page\.[\s\S]*\nVia: Gemini API \(API key\)\n/);
  setup.api.reply(grounded('Red.', [{ title: 'example.org', url: 'https://example.org/fox' }], ['foxes']));
  const searched = await client.send({ path: '/api/google-search', body: { query: 'Foxes?' } });
  expect(JSON.parse(searched.text)).toMatchObject({
    answer: expect.stringMatching(/^Red\./),
    account: {
      handledBy: { runner: 'api', by: 'Gemini API', login: 'API key' },
      attempts: [{ handledBy: { runner: 'api' } }],
    },
  });
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  expect(await children.started()).toEqual([]);
});
