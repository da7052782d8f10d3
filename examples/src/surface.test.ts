import { Client, type ClientOptions } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ExamplePlace } from './testing/example-place.ts';

const release = { name: 'release', arguments: { version: '2.1.0' } };

let place: ExamplePlace;

beforeEach(async () => {
  place = await ExamplePlace.create();
});

afterEach(() => place.dispose());

/** The official client, connected over stdio to a program of `src`. */
async function connect(program: string, options: ClientOptions = {}): Promise<Client> {
  const args = [await place.compile(program)];
  const client = new Client({ name: 'example', version: '1.0.0' }, options);
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

it.each([
  ['release', 'Version 2.1.0 is released.'],
  ['keep', 'Version 2.1.0 is not released. The user did not agree.'],
])('a tool asks the user, who chooses %s', async (choice, text) => {
  const client = await connect('release-server.ts', { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    expect(params.message).toBe('Release version 2.1.0 to all users?');
    return { action: 'accept', content: { choice } };
  });
  expect((await client.callTool(release)).content).toEqual([{ type: 'text', text }]);
  await client.close();
});

it('a tool that cannot ask says so to the model', async () => {
  const client = await connect('release-server.ts');
  expect(JSON.stringify((await client.callTool(release)).content)).toContain('This client cannot show questions');
  await client.close();
});

it('a tool with JSON Schema returns a picture and a link, and names the argument that was meant', async () => {
  const client = await connect('picture-server.ts');
  const call = (args: Record<string, unknown>) => client.callTool({ name: 'show_picture', arguments: args });
  expect((await call({ color: 'red' })).content).toEqual([
    { type: 'text', text: 'A picture in red:' },
    { type: 'image', data: expect.stringMatching(/^iVBORw0KGgo/), mimeType: 'image/png' },
    { type: 'resource_link', uri: 'https://example.com/pictures/red', name: 'red' },
  ]);
  expect(JSON.stringify(await call({ colour: 'red' }))).toContain('Did you mean color?');
  await client.close();
});

it('a tool changes the list of tools, and the client is notified over stdio', async () => {
  let tell: (names: readonly string[]) => void = () => undefined;
  const changed = new Promise<readonly string[]>((resolve) => {
    tell = resolve;
  });
  const client = await connect('sign-in-server.ts', {
    listChanged: { tools: { onChanged: (_, tools) => tell(tools?.map(({ name }) => name) ?? []) } },
  });
  expect(client.getServerVersion()).toMatchObject({ name: 'mail', title: 'Mail' });
  expect(client.getInstructions()).toBe('Reads your mail. Sign in first.');
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['sign_in']);
  await client.callTool({ name: 'sign_in' });
  expect(await changed).toEqual(['read_inbox', 'sign_in']);
  expect((await client.callTool({ name: 'read_inbox' })).content).toEqual([{ type: 'text', text: 'No new messages.' }]);
  await client.close();
});

it('notifies each principal over HTTP of its own tools', async () => {
  const stdout = 'ada: read_orders\nbob: read_invoices\n';
  expect(await place.run('programs/watch-grants.ts')).toEqual({ exitCode: 0, stdout, stderr: '' });
});
