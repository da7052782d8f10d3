import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inOrder, text, toolCall } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const [before, after] = ['{ "name": "sample" }\n', '{ "name": "changed" }\n'];

const metaOf = (name = 'e2e'): object => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: { form: {} },
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
  'io.modelcontextprotocol/clientInfo': { name, version: '1.0.0' },
});

/** Calls return after a second. */
const environment = { GEMINI_MCP_CALL_LIMIT_SECONDS: '2', GEMINI_MCP_AGENT: 'edit' };

type Task = { readonly taskId: string; readonly status: string; readonly [field: string]: unknown };

describe('tasks of revision 2026-07-28, the built server over stdio', () => {
  let setup: ServerSetup;
  let finish: () => void;
  let later: Promise<void>;

  beforeEach(async () => {
    setup = await ServerSetup.create('api');
    later = new Promise((resolve) => {
      finish = resolve;
    });
  });

  afterEach(() => setup.dispose());

  async function ask(server: ServerProcess, method: string, params: object, name?: string): Promise<Task> {
    const { result } = await server.request(method, { ...params, _meta: metaOf(name) });
    return Object(result);
  }

  async function thinkLong(server: ServerProcess): Promise<Task> {
    setup.api.reply(text(['The first half ', { text: 'and the second.', after: later }]));
    return ask(server, 'tools/call', { name: 'gemini_query', arguments: { prompt: 'Think long' } });
  }

  it('a long call becomes one: its result comes whole, once asked for, also from the next server of the client', async () => {
    const server = setup.spawn(environment);
    const task = await thinkLong(server);
    expect(task).toMatchObject({
      resultType: 'task',
      status: 'working',
      taskId: expect.stringMatching(/^[\w-]{20,}$/),
    });
    const { taskId } = task;
    expect(await ask(server, 'tasks/get', { taskId })).toMatchObject({ status: 'working' });
    expect(await server.request('tasks/get', { taskId, _meta: metaOf('another') })).toMatchObject({
      error: { code: -32602 },
    });
    server.endInput();
    await server.until(() => server.stderr.includes('client-gone'));
    finish();
    expect(await server.ended).toEqual({ exitCode: 0, signal: null });
    const next = setup.spawn(environment);
    expect(await ask(next, 'tasks/get', { taskId })).toMatchObject({
      ...{ resultType: 'complete', status: 'completed' },
      result: { resultType: 'complete', content: [{ text: 'The first half and the second.' }, {}] },
    });
    expect(setup.api.requests).toHaveLength(1);
  });

  it('ends when it is cancelled', async () => {
    const server = setup.spawn(environment);
    const { taskId } = await thinkLong(server);
    expect(await ask(server, 'tasks/cancel', { taskId })).toMatchObject({ resultType: 'complete' });
    await expect.poll(async () => (await ask(server, 'tasks/get', { taskId })).status).toBe('cancelled');
  });

  it('asks its user, reports that to a client that listens, and goes on with the answer', async () => {
    await writeFile(join(setup.project, 'package.json'), before);
    const changing = toolCall('put_file', { file_path: 'package.json', content: after });
    const chunks = changing.chunks.map((chunk) => ({ ...chunk, after: later }));
    const reading = toolCall('view_file', { file_path: 'package.json' });
    setup.api.reply(inOrder(reading, { ...changing, chunks }, text('Done.')));
    const server = setup.spawn(environment);
    const args = { task: 'Change the name.', workingDirectory: setup.project, mode: 'edit' };
    const { taskId } = await ask(server, 'tools/call', { name: 'gemini_agent', arguments: args });
    void ask(server, 'subscriptions/listen', { notifications: { taskIds: [taskId] } });
    finish();
    await expect.poll(async () => (await ask(server, 'tasks/get', { taskId })).status).toBe('input_required');
    const { inputRequests } = await ask(server, 'tasks/get', { taskId });
    expect(JSON.stringify(inputRequests)).toContain('Gemini asks to change ');
    expect(await readFile(join(setup.project, 'package.json'), 'utf8')).toBe(before);
    const [id = ''] = Object.keys(Object(inputRequests));
    const inputResponses = { [id]: { action: 'accept', content: { choice: 'once' } } };
    await ask(server, 'tasks/update', { taskId, inputResponses });
    await expect.poll(async () => (await ask(server, 'tasks/get', { taskId })).status).toBe('completed');
    expect(JSON.stringify(await ask(server, 'tasks/get', { taskId }))).toContain('package.json: allowed once');
    expect(await readFile(join(setup.project, 'package.json'), 'utf8')).toBe(after);
    const reported = server.messages
      .filter(({ method }) => method === 'notifications/tasks')
      .map(({ params }) => Object(params).status);
    expect(reported).toEqual(['input_required', 'working', 'completed']);
  });
});
