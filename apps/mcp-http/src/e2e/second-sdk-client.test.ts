import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cliAnswer, cliOpening, whenFileExists } from '@gemini-mcp/fake-gemini';
import { inOrder, text, toolCall } from '@gemini-mcp/port-contracts/offline-api';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpSetup, token } from './http-setup.ts';
import { readMetric } from './read-metric.ts';

const growing = fileURLToPath(new URL('growing-server.mjs', import.meta.url));
const before = '{\n  "name": "sample"\n}\n';
const after = '{\n  "name": "changed"\n}\n';
const pinned = { mode: { pin: '2026-07-28' } } as const;

describe("the client of the SDK's second line on the built HTTP server", () => {
  let setup: HttpSetup;
  let clients: Client[];

  beforeEach(() => {
    clients = [];
  });

  afterEach(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await setup.dispose();
  });

  async function connect(origin: string, options: ClientOptions): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, options);
    clients.push(client);
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit }));
    return client;
  }

  it.each([
    ['by default', {}, [], 'legacy', '2025-11-25'],
    ['by default, with sessions', {}, ['--stateful'], 'legacy', '2025-11-25'],
    ['by itself', { versionNegotiation: { mode: 'auto' } }, [], 'modern', '2026-07-28'],
    ['by itself, with sessions', { versionNegotiation: { mode: 'auto' } }, ['--stateful'], 'modern', '2026-07-28'],
    ['pinned', { versionNegotiation: pinned }, [], 'modern', '2026-07-28'],
  ] as const)('%s finds its revision, reads the lists and asks Gemini', async (_, options, flags, era, version) => {
    setup = await HttpSetup.create('api');
    const { origin } = await setup.start({}, flags);
    const client = await connect(origin, options);
    expect([client.getProtocolEra(), client.getNegotiatedProtocolVersion()]).toEqual([era, version]);
    expect(client.getServerVersion()).toMatchObject({ name: 'gemini-mcp-server' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('gemini_query');
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('review');
    const manual = await client.readResource({ uri: 'gemini://manual' });
    expect(manual.contents).toMatchObject([{ uri: 'gemini://manual', mimeType: 'text/markdown' }]);
    setup.api.reply(text('An answer.'));
    const messages: (string | undefined)[] = [];
    const answer = await client.callTool(
      { name: 'gemini_query', arguments: { prompt: 'Why?' } },
      { onprogress: ({ message }) => messages.push(message) },
    );
    expect(answer).toMatchObject({ content: [{ text: 'An answer.' }, {}] });
    expect(messages).not.toEqual([]);
    await expect(client.callTool({ name: 'none' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.readResource({ uri: 'gemini://none' })).rejects.toThrow('Resource not found');
  });

  it('asks its user in the middle of a call, and the call goes on', async () => {
    setup = await HttpSetup.create('api');
    await writeFile(join(setup.project, 'package.json'), before);
    const { origin } = await setup.start({ GEMINI_MCP_AGENT: 'edit', GEMINI_CLI_WORKING_DIR: setup.project });
    const client = await connect(origin, { versionNegotiation: pinned, capabilities: { elicitation: { form: {} } } });
    const shown: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      shown.push(params.message);
      return { action: 'accept', content: { choice: 'once' } };
    });
    setup.api.reply(
      inOrder(
        toolCall('view_file', { file_path: 'package.json' }),
        toolCall('put_file', { file_path: 'package.json', content: after }),
        text('Done.'),
      ),
    );
    const task = { task: 'Change the name.', workingDirectory: setup.project, mode: 'edit' };
    const done = await client.callTool({ name: 'gemini_agent', arguments: task });
    expect(JSON.stringify(done.content)).toContain('package.json: allowed once');
    expect(await readFile(join(setup.project, 'package.json'), 'utf8')).toBe(after);
    expect(shown).toEqual([expect.stringContaining('Gemini asks to change ')]);
  });

  it('hears that the tools have changed', async () => {
    setup = await HttpSetup.create('api');
    const notes = { command: process.execPath, args: [growing], pin: 'off' };
    const servers = await setup.writeServers({ notes });
    const { origin } = await setup.start({ ...servers, GEMINI_MCP_OFFER_SERVERS: 'all' });
    const seen = new Set<string>();
    let wake: () => void = () => undefined;
    const note = (tools: readonly { readonly name: string }[] | null): void => {
      for (const { name } of tools ?? []) {
        seen.add(name);
      }
      wake();
    };
    const untilSeen = async (name: string): Promise<void> => {
      while (!seen.has(name)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    };
    const tools = { onChanged: (_: unknown, listed: Parameters<typeof note>[0]) => note(listed) };
    const client = await connect(origin, { versionNegotiation: pinned, listChanged: { tools } });
    note((await client.listTools()).tools);
    await untilSeen('notes__grow');
    await client.callTool({ name: 'notes__grow' });
    await untilSeen('notes__grown');
  });

  it('CANCEL-04: aborts a call, whose process ends within a second and whose place is free', async () => {
    setup = await HttpSetup.create('headless');
    await setup.playCli([...cliOpening(), { do: 'touch', file: 'runs' }, { do: 'hang' }], cliAnswer('free again'));
    const server = await setup.start({ GEMINI_MCP_MAX_RUNNING: '1' });
    const client = await connect(server.origin, { versionNegotiation: pinned });
    const aborting = new AbortController();
    const call = client.callTool(
      { name: 'geminiChat', arguments: { prompt: 'long' } },
      { signal: aborting.signal, onprogress: () => undefined },
    );
    const refused = expect(call).rejects.toThrow('the user pressed Escape');
    await whenFileExists(setup.cliDirectory, 'runs');
    aborting.abort('the user pressed Escape');
    await refused;
    expect(await setup.lastingLeftovers()).toEqual([]);
    expect(await readMetric(server, 'gemini_mcp_queue_running')).toBe(0);
    const next = await client.callTool({ name: 'geminiChat', arguments: { prompt: 'next' } });
    expect(next).toMatchObject({ content: [{ text: 'free again' }, {}] });
  });
});
