import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inOrder, text, toolCalls } from '@gemini-mcp/port-contracts/offline-api';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup } from './http-setup.ts';
import { clientOf, type PrincipalToWrite, tokenOf } from './principals.ts';

const growing = fileURLToPath(new URL('growing-server.mjs', import.meta.url));

describe('upstream tools for Gemini over HTTP', () => {
  let setup: HttpSetup;
  let server: HttpServerProcess;
  let clients: Client[];

  beforeEach(async () => {
    clients = [];
    setup = await HttpSetup.create('api');
    const notes = { command: process.execPath, args: [growing] };
    const entries = { notes, trusted: { ...notes, trust: true } };
    const roots = [setup.project];
    const principals: readonly PrincipalToWrite[] = [
      { name: 'alice', roots },
      { name: 'guest', roots, scopes: ['gemini:query', 'gemini:chat', 'gemini:files', 'gemini:agent'] },
    ];
    const environment = { GEMINI_MCP_AGENT: 'edit', GEMINI_CLI_WORKING_DIR: setup.project };
    server = await setup.startFor(principals, { ...environment, ...(await setup.writeServers(entries)) }, [
      '--stateful',
    ]);
  });

  afterEach(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await setup.dispose();
  });

  /** Lets Gemini call the tool once. Resolves to the results that the client and Gemini get. */
  async function played(ask: () => Promise<string>, name = 'notes__tell'): Promise<readonly [string, string]> {
    setup.api.reply(inOrder(toolCalls([{ name, args: { word: 'canary' } }]), text('Done.')));
    const answer = await ask();
    return [answer, JSON.stringify(setup.api.requests.at(-1)?.contents)];
  }

  /** An MCP client with a session, whose user gives these answers. */
  async function connect(name: string, answer: (message: string) => object): Promise<Client> {
    const client = new Client({ name: 'e2e', version: '1' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ action: 'accept', ...answer(params.message) }));
    const headers = { Authorization: `Bearer ${tokenOf(name)}` };
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', server.origin), { requestInit: { headers } });
    clients.push(client);
    await client.connect(transport);
    return client;
  }

  async function callBy(client: Client, name: string, args: Readonly<Record<string, unknown>>): Promise<string> {
    const result = await client.callTool({ name, arguments: args }, undefined, { timeout: 120_000 });
    const { content } = CallToolResultSchema.parse(result);
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  }

  async function post(name: string, path: string, body: object): Promise<Response> {
    return await fetch(`${server.origin}/api/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${tokenOf(name)}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  const query = { prompt: 'Tell.', servers: ['notes'] };
  const task = { task: 'Tell.', mode: 'edit', servers: ['notes'] };

  it("are called after the session's user agrees, and not after a no", async () => {
    const asked: string[] = [];
    const client = await connect('alice', (message) => {
      asked.push(message);
      return { content: { choice: asked.length === 1 ? 'no' : 'once' } };
    });
    const [refused, toldNo] = await played(() => callBy(client, 'gemini_agent', task));
    expect(refused).toMatch(/denied-by-user|needs-approval/);
    expect(toldNo).not.toContain('heard canary');
    const [, told] = await played(() => callBy(client, 'gemini_agent', task));
    expect(told).toMatch(/\d+ heard canary/);
    expect(asked).toEqual([expect.stringContaining('the tool tell of the server notes'), asked[0]]);
  });

  it('run without a question in a task if the operator trusts them, and are absent unless named', async () => {
    const client = await connect('alice', () => expect.unreachable('No one is to be asked.'));
    const named = { ...task, servers: ['trusted'] };
    const [, told] = await played(() => callBy(client, 'gemini_agent', named), 'trusted__tell');
    expect(told).toMatch(/\d+ heard canary/);
    setup.api.reply(text('Done.'));
    await callBy(client, 'gemini_agent', { task: 'Tell.', mode: 'edit' });
    expect(setup.api.requests.at(-1)?.functionNames).not.toContain('trusted__tell');
  });

  it("over REST, the answer explains how to allow a tool, and the server's terminal allows it", async () => {
    const ask = async (): Promise<string> => (await post('alice', 'gemini-query', query)).text();
    const [refused, toldNo] = await played(ask);
    expect(refused).toContain('gemini-mcp-server-http approvals allow-tool');
    expect(toldNo).toMatch(/Refused: .*REST and HTTP without sessions cannot carry questions.*approvals allow-tool/s);
    const terminal = { GEMINI_MCP_SERVERS_FILE: join(setup.root, 'servers.json') };
    const allowed = setup.spawn(terminal, ['approvals', 'allow-tool', 'notes', 'tell']);
    expect(await allowed.ended).toMatchObject({ exitCode: 0 });
    const [answer, told] = await played(ask);
    expect(told).toMatch(/\d+ heard canary/);
    expect(answer).toContain('Done.');
  });

  it.each([
    ['gemini-query', 'gemini_query', query],
    ['chat', 'chat', query],
    ['gemini-agent', 'gemini_agent', task],
  ])('are refused to a token without the scope: %s, by REST and by MCP', async (path, tool, args) => {
    const refused = await post('guest', path, args);
    expect(refused.status).toBe(403);
    expect(refused.headers.get('WWW-Authenticate')).toContain('gemini:servers');
    const client = clientOf('guest', server);
    await client.initialize();
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } };
    const { status, headers } = await client.send({ body });
    client.close();
    expect([status, headers['www-authenticate']]).toEqual([403, expect.stringContaining('gemini:servers')]);
    expect(setup.api.requests).toEqual([]);
  });
});
