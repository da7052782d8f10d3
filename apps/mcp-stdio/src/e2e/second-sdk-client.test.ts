import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliAnswer, cliOpening, whenFileExists } from '@gemini-mcp/fake-gemini';
import { inOrder, text, toolCall } from '@gemini-mcp/port-contracts/offline-api';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverPath } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const before = '{\n  "name": "sample"\n}\n';
const after = '{\n  "name": "changed"\n}\n';
const pinned = { mode: { pin: '2026-07-28' } } as const;

describe("the client of the SDK's second line on the built stdio server", () => {
  let setup: ServerSetup;
  let clients: Client[];

  beforeEach(() => {
    clients = [];
  });

  afterEach(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await setup.dispose();
  });

  async function connect(options: ClientOptions, environment: Readonly<Record<string, string>> = {}): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, options);
    clients.push(client);
    const env = { ...setup.environment(), ...environment };
    const cwd = setup.project;
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [serverPath], env, cwd, stderr: 'ignore' }),
    );
    return client;
  }

  it.each([
    ['by default', {}, 'legacy', '2025-11-25'],
    ['by itself', { versionNegotiation: { mode: 'auto' } }, 'modern', '2026-07-28'],
    ['pinned', { versionNegotiation: pinned }, 'modern', '2026-07-28'],
  ] as const)('%s finds its revision, reads the lists and asks Gemini', async (_, options, era, version) => {
    setup = await ServerSetup.create('api');
    const client = await connect(options);
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
    setup = await ServerSetup.create('api');
    await writeFile(join(setup.project, 'package.json'), before);
    const client = await connect({ versionNegotiation: pinned, capabilities: { elicitation: { form: {} } } });
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

  it('aborts a call, whose process ends within a second and whose place is free', async () => {
    setup = await ServerSetup.create('headless');
    await setup.playCli([...cliOpening(), { do: 'touch', file: 'runs' }, { do: 'hang' }], cliAnswer('free again'));
    const client = await connect({ versionNegotiation: pinned }, { GEMINI_MCP_MAX_RUNNING: '1' });
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
    const next = await client.callTool({ name: 'geminiChat', arguments: { prompt: 'next' } });
    expect(next).toMatchObject({ content: [{ text: 'free again' }, {}] });
  });
});
