import { BackgroundJobs } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../../input/request-params.ts';
import type { JsonObject } from '../../../input/tool-input.ts';
import type { ToolOutcome } from '../../../surface/tool.ts';
import { callerNamed, messagesOf } from '../../testing/http-caller.ts';
import { connectModern, modernRequest } from '../../testing/modern-caller.ts';
import { metaKeys, tasksExtension } from '../envelope.ts';
import { type TaskClient, waysToConnect, withTasks } from './testing/connect-tasks.ts';
import { createPuppetTool } from './testing/puppet-tool.ts';

const hourMs = 3_600_000;
const withoutTasks: JsonObject = { [metaKeys.clientCapabilities]: { elicitation: { form: {} } } };
const unknown = { error: { code: -32_602, message: expect.stringContaining('Unknown task') } };
const missing = {
  error: { code: -32_021, data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } } },
};
const yes = { action: 'accept', content: { choice: 'yes' } };
const saidYes = { type: 'chosen', choice: 'yes' };

function callOf(args: JsonObject): JsonObject {
  return { name: 'work', arguments: args };
}

async function start({ ask }: TaskClient, args: JsonObject = {}): Promise<string> {
  const { result } = await ask('tools/call', callOf({ background: true, ...args }));
  return isJsonObject(result) ? String(result['taskId']) : '';
}

async function look({ ask }: TaskClient, taskId: string): Promise<JsonObject> {
  const { result } = await ask('tasks/get', { taskId });
  return isJsonObject(result) ? result : {};
}

/** The key of its open question, once it has another one than before. */
async function questionOf(client: TaskClient, taskId: string, before = ''): Promise<string> {
  const keys = async (): Promise<readonly string[]> =>
    Object.keys(Object((await look(client, taskId))['inputRequests'])).filter((key) => key !== before);
  await expect.poll(keys).toHaveLength(1);
  return (await keys())[0] ?? '';
}

async function outcomesOf(client: TaskClient, taskId: string): Promise<unknown> {
  await expect.poll(async () => (await look(client, taskId))['status']).toBe('completed');
  const { result } = await look(client, taskId);
  return JSON.parse(Object(result).content[0].text);
}

describe.each(waysToConnect)('a task %s', (_, connect) => {
  it('is the job that a call has started, from the start to the end of its time', async () => {
    const client = connect();
    const { clock } = client;
    const created = new Date(clock.now()).toISOString();
    const { result } = await client.ask('tools/call', callOf({ background: true }));
    const task = {
      ...{ taskId: 'job1', status: 'working', statusMessage: 'Thinking' },
      ...{ createdAt: created, pollIntervalMs: 2_000, ttlMs: hourMs },
    };
    expect(result).toEqual({ resultType: 'task', ...task, lastUpdatedAt: created, _meta: expect.anything() });
    await clock.advance(5_000);
    expect(await look(client, 'job1')).toEqual({
      ...{ resultType: 'complete', ...task, lastUpdatedAt: created, _meta: expect.anything() },
      ttlMs: hourMs + 5_000,
    });
    client.finish();
    await client.jobs.wait({ owner: 'owner of alice', handle: 'job1', timeoutMs: 1 }, new AbortController().signal);
    await expect.poll(async () => (await look(client, 'job1'))['status']).toBe('completed');
    const direct = await client.ask('tools/call', callOf({}));
    expect((await look(client, 'job1'))['result']).toEqual(direct['result']);
    await clock.advance(hourMs);
    expect(await client.ask('tasks/get', { taskId: 'job1' })).toMatchObject(unknown);
  });

  it.each([
    ['badly', { status: 'completed', result: { isError: true, content: [{ text: '[]' }] } }],
    ['by throwing', { status: 'failed', error: { code: -32_603, message: expect.any(String) } }],
  ])('whose work ends %s says so', async (ends, expected) => {
    const client = connect();
    const taskId = await start(client, { ends });
    client.finish();
    await expect.poll(() => look(client, taskId)).toMatchObject(expected);
    expect(await look(client, taskId)).not.toHaveProperty(ends === 'badly' ? 'error' : 'result');
  });

  it('comes of a call without a known limit after 54 s', async () => {
    const client = connect();
    const call = client.ask('tools/call', callOf({}));
    await expect.poll(client.begun).toBe(1);
    await client.clock.advance(53_999);
    expect(client.jobs.list('alice')).toEqual([]);
    await client.clock.advance(1);
    expect(await call).toMatchObject({ result: { resultType: 'task', status: 'working', statusMessage: 'Thinking' } });
    client.finish();
    expect(await outcomesOf(client, 'job1')).toEqual([]);
  });

  it('asks its user, and goes on with the answer', async () => {
    const client = connect();
    const taskId = await start(client, { ask: ['really', 'again'] });
    const first = await questionOf(client, taskId);
    expect((await look(client, taskId))['inputRequests']).toMatchObject({
      [first]: { method: 'elicitation/create', params: { mode: 'form', message: 'really?' } },
    });
    expect(await client.ask('tasks/update', { taskId, inputResponses: { other: yes } })).toMatchObject({ result: {} });
    expect(await questionOf(client, taskId)).toBe(first);
    const { result } = await client.ask('tasks/update', { taskId, inputResponses: { [first]: yes } });
    expect(result).toEqual({ resultType: 'complete', _meta: expect.anything() });
    const second = await questionOf(client, taskId, first);
    // The answered question is closed.
    await client.ask('tasks/update', { taskId, inputResponses: { [first]: { action: 'decline' } } });
    expect(await questionOf(client, taskId)).toBe(second);
    await client.ask('tasks/update', { taskId, inputResponses: { [second]: { action: 'decline' } } });
    await expect.poll(async () => (await look(client, taskId))['status']).toBe('working');
    client.finish();
    expect(await outcomesOf(client, taskId)).toEqual([saidYes, { type: 'declined', isAutomatic: true }]);
    await client.ask('tasks/update', { taskId, inputResponses: { [second]: yes } });
  });

  it('goes on without an answer when the question expires', async () => {
    const client = connect();
    const taskId = await start(client, { ask: ['really'] });
    await questionOf(client, taskId);
    await client.clock.advance(300_000);
    await expect.poll(async () => (await look(client, taskId))['status']).toBe('working');
    client.finish();
    expect(await outcomesOf(client, taskId)).toEqual([{ type: 'unanswered', reason: 'timed-out' }]);
  });

  it('begins once the questions of its call are answered, and leaves no timer', async () => {
    const client = connect();
    const call = callOf({ askFirst: 'now', ask: ['later'] });
    const { result } = await client.ask('tools/call', call);
    expect(result).toMatchObject({ resultType: 'input_required' });
    const { inputRequests, requestState } = Object(result);
    const [id = ''] = Object.keys(inputRequests);
    const again = client.ask('tools/call', { ...call, requestState, inputResponses: { [id]: yes } });
    const { result: asked } = await again;
    expect(asked).toMatchObject({ resultType: 'input_required' });
    const next = Object(asked);
    const [later = ''] = Object.keys(next.inputRequests);
    const last = client.ask('tools/call', {
      ...call,
      requestState: next.requestState,
      inputResponses: { [later]: yes },
    });
    await expect.poll(client.begun).toBe(1);
    await client.clock.advance(54_000);
    const created = await last;
    expect(created).toMatchObject({ result: { resultType: 'task' } });
    expect(created['result']).not.toHaveProperty('requestState');
    client.finish();
    expect(await outcomesOf(client, 'job1')).toEqual([saidYes, saidYes]);
    await client.leave();
    expect(client.clock.sleeping).toBe(0);
  });

  it.each(['while it works', 'while it asks'])('ends when it is cancelled %s, once', async (moment) => {
    const client = connect();
    const taskId = await start(client, { ask: moment === 'while it asks' ? ['really'] : [] });
    if (moment === 'while it asks') {
      await questionOf(client, taskId);
    }
    for (let count = 0; count < 2; count += 1) {
      const { result } = await client.ask('tasks/cancel', { taskId });
      expect(result).toEqual({ resultType: 'complete', _meta: expect.anything() });
    }
    await expect.poll(async () => (await look(client, taskId))['status']).toBe('cancelled');
    expect(await look(client, taskId)).not.toHaveProperty('result');
    await client.leave();
    expect(client.clock.sleeping).toBe(0);
  });

  it('stays as it ended when it is cancelled too late', async () => {
    const client = connect();
    const taskId = await start(client);
    client.finish();
    await expect.poll(async () => (await look(client, taskId))['status']).toBe('completed');
    expect(await client.ask('tasks/cancel', { taskId })).toMatchObject({ result: { resultType: 'complete' } });
    expect((await look(client, taskId))['status']).toBe('completed');
  });

  it('withdraws its question when the client leaves, and goes on as a job', async () => {
    const client = connect();
    const taskId = await start(client, { ask: ['really', 'again'] });
    await questionOf(client, taskId);
    await client.leave();
    client.finish();
    const [owner] = ['owner of alice', 'alice'].filter((name) => client.jobs.report(name, taskId) !== null);
    const waiting = { owner: owner ?? '', handle: taskId, timeoutMs: 1_000 };
    const job = await client.jobs.wait(waiting, new AbortController().signal);
    const over = expect.objectContaining({ type: 'cannot-ask', reason: 'call-over' });
    expect(JSON.parse(job?.result?.text ?? '')).toEqual([over, over]);
  });

  it('reports each change of its status to a client that listens', async () => {
    const client = connect();
    const taskId = await start(client, { ask: ['really'] });
    const filter = { notifications: { taskIds: [taskId, 'another', taskId], toolsListChanged: true } };
    const next = await client.open('subscriptions/listen', filter);
    const { params, method } = await next();
    expect(method).toBe('notifications/subscriptions/acknowledged');
    expect(Object(params).notifications).toEqual({ taskIds: [taskId] });
    const asking = await next();
    expect(asking).toMatchObject({ method: 'notifications/tasks', params: { taskId, status: 'input_required' } });
    const [id = ''] = Object.keys(Object(asking['params']).inputRequests);
    expect(Object(asking['params'])._meta).toEqual(Object(params)._meta);
    await client.ask('tasks/update', { taskId, inputResponses: { [id]: yes } });
    expect(await next()).toMatchObject({ params: { taskId, status: 'working' } });
    client.finish();
    expect(await next()).toMatchObject({
      params: { status: 'completed', result: { content: [{ text: JSON.stringify([saidYes]) }] } },
    });
    expect(await next()).toMatchObject({ result: { resultType: 'complete' } });
    await client.leave();
    expect(client.clock.sleeping).toBe(0);
  });

  it('is announced', async () => {
    const { result } = await connect().ask('server/discover', {}, withoutTasks);
    expect(Object(result).capabilities.extensions).toEqual({ [tasksExtension]: {} });
  });
});

describe.each(waysToConnect)('a client without the extension %s', (_, connect) => {
  it('gets the text that it gets from a server without tasks, and keeps waiting without a limit', async () => {
    const answers = await Promise.all(
      [connect(), connect({ offersTasks: false })].map(async (client) => {
        const started = await client.ask('tools/call', callOf({ background: true }), withoutTasks);
        const limit = { ...withoutTasks, 'gemini-mcp-server/callLimitMs': 2_000 };
        const limited = client.ask('tools/call', callOf({}), limit);
        await expect.poll(client.begun).toBe(2);
        await client.clock.advance(2_000);
        const waiting = client.ask('tools/call', callOf({}), withoutTasks);
        await client.clock.advance(600_000);
        client.finish();
        return [started, await limited, await waiting];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject([
      { result: { resultType: 'complete', _meta: { jobHandle: 'job1' } } },
      { result: { resultType: 'complete', _meta: { jobHandle: 'job2' } } },
      { result: { resultType: 'complete', content: [{ text: '[]' }] } },
    ]);
  });

  it('is refused the requests of the extension, whatever an earlier request said', async () => {
    const client = connect();
    const taskId = await start(client);
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      expect(await client.ask(method, { taskId, inputResponses: {} }, withoutTasks)).toMatchObject(missing);
    }
    const listening = { notifications: { taskIds: [taskId] } };
    expect(await client.ask('subscriptions/listen', listening, withoutTasks)).toMatchObject(missing);
    expect((await look(client, taskId))['status']).toBe('working');
    client.finish();
  });

  it('gets the handle as text when it brings the answer to a question that one with the extension was asked', async () => {
    const client = connect();
    const call = callOf({ askFirst: 'now' });
    const { result } = await client.ask('tools/call', call);
    const { inputRequests, requestState } = Object(result);
    const answered = { ...call, requestState, inputResponses: { [Object.keys(inputRequests)[0] ?? '']: yes } };
    const last = client.ask('tools/call', answered, withoutTasks);
    await expect.poll(client.begun).toBe(1);
    await client.clock.advance(54_000);
    expect(await last).toMatchObject({ result: { resultType: 'complete', _meta: { jobHandle: 'job1' } } });
    client.finish();
  });
});

describe.each(waysToConnect)('requests for tasks %s', (_, connect) => {
  it.each(['job2', '__proto__', 'constructor', '', 'JOB1', 'job1.'])('know no task %j', async (taskId) => {
    const client = connect();
    const own = await start(client);
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      expect(await client.ask(method, { taskId, inputResponses: {} })).toMatchObject(unknown);
    }
    expect((await look(client, own))['status']).toBe('working');
    client.finish();
  });

  it.each([
    ['tasks/get', {}],
    ['tasks/get', { taskId: 1 }],
    ['tasks/cancel', { taskId: 'x'.repeat(101) }],
    ['tasks/update', { taskId: 'job1' }],
    ['tasks/update', { taskId: 'job1', inputResponses: [yes] }],
    ['subscriptions/listen', { notifications: { taskIds: 'job1' } }],
    ['subscriptions/listen', { notifications: { taskIds: [1] } }],
    ['subscriptions/listen', { notifications: { taskIds: Array.from({ length: 101 }, String) } }],
  ])('%s refuses %j', async (method, params) => {
    const client = connect();
    await start(client);
    const { error } = await client.ask(method, params);
    expect(error).toMatchObject({ code: -32_602, message: expect.stringContaining('Invalid parameters') });
    client.finish();
  });

  it.each(['tasks/list', 'tasks/result'])('do not include %s of the experiment', async (method) => {
    expect(await connect().ask(method, { taskId: 'job1' })).toMatchObject({ error: { code: -32_601 } });
  });

  it('are unknown to a server without tasks', async () => {
    const client = connect({ offersTasks: false });
    expect(await client.ask('tasks/get', { taskId: 'job1' })).toMatchObject({ error: { code: -32_601 } });
    const { result } = await client.ask('server/discover');
    expect(Object(result).capabilities).not.toHaveProperty('extensions');
    const listening = { notifications: { taskIds: ['job1'] } };
    expect(await client.ask('subscriptions/listen', listening)).toMatchObject({ result: {} });
  });
});

describe('tasks of several callers over HTTP', () => {
  it("TASK-OWNER: no request finds another owner's task, and none changes it", async () => {
    const clock = new FakeClock();
    const jobs = new BackgroundJobs<ToolOutcome>({ clock, createHandle: () => 'job1', onError: () => undefined });
    const puppet = createPuppetTool(jobs);
    const surface = { tools: [puppet.tool], prompts: [], resources: [] };
    const { send } = connectModern(surface, { clock, jobs: async () => jobs });
    const as = async (name: string, method: string, params: JsonObject): Promise<JsonObject> => {
      const response = await send(modernRequest(1, method, params, withTasks), {}, callerNamed(name, surface));
      const [first] = await messagesOf(response);
      return Object(first);
    };
    await as('alice', 'tools/call', callOf({ background: true, ask: ['really'] }));
    const status = async (): Promise<unknown> => Object((await as('alice', 'tasks/get', { taskId: 'job1' }))['result']);
    await expect.poll(status).toMatchObject({ status: 'input_required' });
    const { inputRequests } = Object(await status());
    const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((id) => [id, yes]));
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      expect(await as('bob', method, { taskId: 'job1', inputResponses })).toMatchObject(unknown);
    }
    const listening = { notifications: { taskIds: ['job1'] } };
    const acknowledged = await as('bob', 'subscriptions/listen', listening);
    expect(Object(acknowledged['params']).notifications).toEqual({});
    expect(await status()).toMatchObject({ status: 'input_required', inputRequests });
    await jobs.close();
  });

  it('want the header Mcp-Name to be the id, and refuse a client without the extension with 400', async () => {
    const { send } = connectModern(
      { tools: [], prompts: [], resources: [] },
      { jobs: () => Promise.reject(new Error()) },
    );
    const get = modernRequest(1, 'tasks/get', { taskId: 'job1' }, withTasks);
    const statusOf = async (response: Promise<Response>): Promise<unknown> => {
      const { status } = await response;
      return status;
    };
    for (const header of ['job2', null]) {
      const refused = await send(get, { 'mcp-name': header });
      expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: -32_020 } }]);
    }
    expect(await statusOf(send(modernRequest(2, 'tasks/get', { taskId: 'job1' }, withoutTasks)))).toBe(400);
  });
});
