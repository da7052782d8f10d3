import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ExamplePlace } from './testing/example-place.ts';

let place: ExamplePlace;

beforeEach(async () => {
  place = await ExamplePlace.create();
});

afterEach(() => place.dispose());

/** The official client, connected over stdio to a program of `src`. */
async function connect(program: string): Promise<Client> {
  const args = [await place.compile(program)];
  const client = new Client({ name: 'example', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: place.environment() }));
  return client;
}

it('a server offers one tool of its own, and names the argument that is wrong', async () => {
  const client = await connect('word-count-server.ts');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['count_words']);
  const call = (args: Record<string, unknown>) => client.callTool({ name: 'count_words', arguments: args });
  expect((await call({ text: 'one two  three' })).content).toEqual([{ type: 'text', text: '3 words' }]);
  expect(JSON.stringify(await call({ txt: 'one' }))).toContain('text');
  await client.close();
});
