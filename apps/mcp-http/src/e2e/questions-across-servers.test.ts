import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inOrder, text, toolCall } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup, token } from './http-setup.ts';
import { type JsonRpcMessage, McpHttpClient } from './mcp-http-client.ts';

const before = '{\n  "name": "sample"\n}\n';
const after = '{\n  "name": "changed"\n}\n';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

const askedSchema = z.object({
  resultType: z.literal('input_required'),
  inputRequests: z.record(z.string(), z.object({ params: z.object({ message: z.string() }) })),
  requestState: z.string(),
});

describe('a question of revision 2026-07-28 whose answer comes to another server', () => {
  let setup: HttpSetup;
  let clients: McpHttpClient[];

  beforeEach(async () => {
    clients = [];
    setup = await HttpSetup.create('api');
    await writeFile(join(setup.project, 'package.json'), before);
  });

  afterEach(async () => {
    for (const client of clients) {
      client.close();
    }
    await setup.dispose();
  });

  function start(): Promise<HttpServerProcess> {
    return setup.start({
      GEMINI_MCP_AGENT: 'edit',
      GEMINI_CLI_WORKING_DIR: setup.project,
      GEMINI_MCP_HTTP_SHUTDOWN_SECONDS: '60',
    });
  }

  /** Calls gemini_agent, on a new connection. */
  async function work({ origin }: HttpServerProcess, more: object = {}): Promise<JsonRpcMessage> {
    const client = new McpHttpClient({ origin, token });
    clients.push(client);
    const task = { task: 'Change the name.', workingDirectory: setup.project, mode: 'edit' };
    const params = { name: 'gemini_agent', arguments: task, _meta: meta, ...more };
    const { messages } = await client.send({
      headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'gemini_agent' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    return messages.at(-1) ?? { jsonrpc: '2.0' };
  }

  function haveItChanged(): void {
    const changing = toolCall('put_file', { file_path: 'package.json', content: after });
    setup.api.reply(inOrder(toolCall('view_file', { file_path: 'package.json' }), changing, text('Done.')));
  }

  /** Has Gemini change the file. Resolves to the way to say yes to it. */
  async function askOf(server: HttpServerProcess): Promise<object> {
    haveItChanged();
    const { inputRequests, requestState } = askedSchema.parse((await work(server)).result);
    const [[id, { params }] = ['', { params: { message: '' } }]] = Object.entries(inputRequests);
    expect(params.message).toContain('Gemini asks to change ');
    return { requestState, inputResponses: { [id]: { action: 'accept', content: { choice: 'once' } } } };
  }

  it.each(['SIGTERM', 'SIGKILL'] as const)('goes on after the first server has ended by %s', async (signal) => {
    const first = await start();
    const yes = await askOf(first);
    first.kill(signal);
    const { exitCode } = await first.ended;
    expect(exitCode).toBe(signal === 'SIGTERM' ? 0 : null);
    expect(await readFile(join(setup.project, 'package.json'), 'utf8')).toBe(before);
    const second = await start();
    haveItChanged();
    const done = await work(second, yes);
    expect(JSON.stringify(done.result)).toContain('package.json: allowed once');
    expect(await readFile(join(setup.project, 'package.json'), 'utf8')).toBe(after);
    expect(await work(second, yes)).toMatchObject({ error: { code: -32602 } });
  });

  it('is answered by one of two servers that run at the same time', async () => {
    const [first, second] = [await start(), await start()];
    const yes = await askOf(first);
    haveItChanged();
    const answers = await Promise.all([work(second, yes), work(second, yes), work(first, yes)]);
    expect(answers.filter(({ result }) => result !== undefined)).toHaveLength(1);
    expect(answers.filter(({ error }) => error?.code === -32602)).toHaveLength(2);
    expect(await readFile(join(setup.project, 'package.json'), 'utf8')).toBe(after);
  });
});
