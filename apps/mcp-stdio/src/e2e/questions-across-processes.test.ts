import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inOrder, text, toolCall } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonRpcMessage, ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const [before, after] = ['{ "name": "sample" }\n', '{ "name": "changed" }\n'];

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  'io.modelcontextprotocol/clientInfo': { name: 'e2e', version: '1.0.0' },
};

describe('a question of revision 2026-07-28 over stdio', () => {
  let setup: ServerSetup;

  beforeEach(async () => {
    setup = await ServerSetup.create('api');
    await writeFile(join(setup.project, 'package.json'), before);
  });

  afterEach(() => setup.dispose());

  /** Has Gemini change the file, which needs the user's permission. */
  function haveItChanged(): void {
    const changing = toolCall('put_file', { file_path: 'package.json', content: after });
    setup.api.reply(inOrder(toolCall('view_file', { file_path: 'package.json' }), changing, text('Done.')));
  }

  function work(server: ServerProcess, more: object = {}): Promise<JsonRpcMessage> {
    const task = { task: 'Change the name.', workingDirectory: setup.project, mode: 'edit' };
    return server.request('tools/call', { name: 'gemini_agent', arguments: task, _meta: meta, ...more });
  }

  const content = (): Promise<string> => readFile(join(setup.project, 'package.json'), 'utf8');

  it.each(['the same process', 'a process that starts after kill -9'])('is answered through %s, once', async (way) => {
    const environment = { GEMINI_MCP_AGENT: 'edit' };
    const first = setup.spawn(environment);
    haveItChanged();
    const { inputRequests, requestState } = (await work(first)).result ?? {};
    const [id = ''] = Object.keys(Object(inputRequests));
    const yes = { requestState, inputResponses: { [id]: { action: 'accept', content: { choice: 'once' } } } };
    expect(await content()).toBe(before);
    let second = first;
    if (way !== 'the same process') {
      process.kill(first.pid, 'SIGKILL');
      await first.ended;
      second = setup.spawn(environment);
      haveItChanged();
    }
    expect(JSON.stringify((await work(second, yes)).result)).toContain('package.json: allowed once');
    expect(await content()).toBe(after);
    expect(await work(second, yes)).toMatchObject({ error: { code: -32602 } });
  });
});
