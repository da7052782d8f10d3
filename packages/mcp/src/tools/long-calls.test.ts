import { BackgroundJobs } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpServer } from '../edges/legacy/create-mcp-server.ts';
import { metaKeys } from '../edges/modern/envelope.ts';
import { ModernConnection } from '../edges/modern/modern-connection.ts';
import { connectModern, envelope } from '../edges/testing/modern-caller.ts';
import { ElicitingApprover } from '../questions/eliciting-approver.ts';
import type { Tool, ToolOutcome } from '../surface/tool.ts';
import { type Called, ConnectedTools } from '../testing/connected-tools.ts';
import { workInForeground } from './work.ts';

/** A client with a limit of 60 s, whose calls return after 54 s. */
const impatient = 'claude-ai';
const returnsAfterMs = 54_000;

/** Every tool over a Gemini that says the first half of its answer at once, and the rest when the test lets it. */
function setUp(): ConnectedTools & { readonly finish: () => void } {
  let finish = (): void => undefined;
  const release = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const chunks = ['The first half, ', 'and the second.'];
  const searched = [{ name: 'google_web_search', phase: 'succeeded' }] as const;
  const tools = new ConnectedTools({
    script: (input) => ({ tools: searched, chunks, ...(/Think|Go on|Again/.test(input) && { release }) }),
  });
  return Object.assign(tools, { finish });
}

const handleIn = ({ meta }: Called): string => String(meta?.['jobHandle']);

const longCalls: readonly (readonly [string, Record<string, unknown>])[] = [
  ['gemini_query', { prompt: 'Think', timeout: 900 }],
  ['chat', { prompt: 'Think' }],
  ['geminiChat', { prompt: 'Think' }],
  ['googleSearch', { query: 'Think' }],
  ['gemini_agent', { task: 'Think', mode: 'full' }],
];

describe('a call that outlasts the patience of its client', () => {
  it.each(longCalls)('of %s becomes a job, whose answer comes whole and was asked for once', async (name, args) => {
    const tools = setUp();
    const client = await tools.connect(impatient);
    const call = tools.call(name, args, { client });
    await tools.clock.advance(returnsAfterMs - 1);
    expect(tools.jobs.list(impatient)).toEqual([]);
    await tools.clock.advance(1);
    const handedOver = await call;
    const handle = handleIn(handedOver);
    expect(handedOver).toMatchObject({ isError: false, meta: { jobState: 'running' } });
    expect(handedOver.text.split('\n')).toEqual([
      `Not finished yet. Before your client stops waiting, this call has become job ${handle}; Gemini works on, and nothing has to be asked again.`,
      `To wait for the result, call gemini_job with handle "${handle}" and action "wait".`,
      '',
      'Text so far (incomplete, 16 characters):',
      '| The first half, ',
    ]);
    const waiting = tools.call('gemini_job', { handle, action: 'wait' }, { client });
    tools.finish();
    const waited = await waiting;
    expect(waited).toMatchObject({ isError: false, meta: { jobState: 'succeeded' } });
    expect(waited.parts[0]).toBe('The first half, and the second.');
    expect(waited.text).toContain(`Job ${handle} succeeded after 54 s: Think`);
    expect(tools.runner.requests).toHaveLength(1);
    expect(tools.clock.sleeping).toBe(0);
  });

  it('of chat-reply becomes a job, and the conversation keeps the exchange', async () => {
    const tools = setUp();
    const client = await tools.connect(impatient);
    const { meta } = await tools.call('chat', { prompt: 'Hello' }, { client });
    const sessionId = String(meta?.['sessionId']);
    const call = tools.call('chat-reply', { sessionId, prompt: 'Go on' }, { client });
    await tools.clock.advance(returnsAfterMs);
    const handle = handleIn(await call);
    tools.finish();
    const waited = await tools.call('gemini_job', { handle, action: 'wait' }, { client });
    expect(waited.meta).toMatchObject({ jobState: 'succeeded', sessionId });
  });

  it('is answered as ever if it ends in time, and leaves no timer', async () => {
    const tools = setUp();
    const call = tools.call('gemini_query', { prompt: 'Think' }, { client: await tools.connect(impatient) });
    await tools.clock.advance(returnsAfterMs - 1);
    tools.finish();
    expect((await call).parts[0]).toBe('The first half, and the second.');
    expect(tools.clock.sleeping).toBe(0);
  });

  it('keeps its client waiting if the client has no known limit', async () => {
    const tools = setUp();
    const call = tools.call('chat', { prompt: 'Think' }, { client: await tools.connect('a program') });
    await tools.clock.advance(590_000);
    expect(tools.jobs.list('a program')).toEqual([]);
    tools.finish();
    expect((await call).parts[0]).toBe('The first half, and the second.');
  });

  it('keeps its client waiting if too many jobs of its owner are running', async () => {
    const tools = new ConnectedTools({ script: () => ({ hangs: true }), maxRunning: 20 });
    const client = await tools.connect(impatient);
    for (let count = 0; count < 8; count += 1) {
      await tools.call('geminiChat', { prompt: 'Think', background: true }, { client });
    }
    let isOver = false;
    const cancelling = new AbortController();
    const call = tools.call('geminiChat', { prompt: 'Last' }, { client, signal: cancelling.signal }).finally(() => {
      isOver = true;
    });
    await tools.clock.advance(returnsAfterMs);
    expect(isOver).toBe(false);
    cancelling.abort('The user cancelled');
    await expect(call).rejects.toThrow();
    await tools.jobs.close();
    await expect.poll(() => tools.clock.sleeping).toBe(0);
  });

  it('becomes a job over HTTP without sessions too, from revision 2026-07-28 on', async () => {
    const tools = setUp();
    const { ask, clock } = connectModern({ tools: tools.tools, prompts: [], resources: [] });
    const clientInfo = { [metaKeys.clientInfo]: { name: impatient, version: '1' } };
    const call = ask('tools/call', { name: 'chat', arguments: { prompt: 'Think' } }, clientInfo);
    // The request is read before its clock starts.
    await expect.poll(() => clock.sleeping).toBe(1);
    await clock.advance(returnsAfterMs);
    expect(await call).toMatchObject({ result: { _meta: { jobState: 'running' } } });
    tools.finish();
    await tools.jobs.close();
  });

  it('takes the limit that its request states', async () => {
    const tools = setUp();
    const client = await tools.connect(impatient);
    const meta = { 'gemini-mcp-server/callLimitMs': 20_000 };
    const call = tools.call('chat', { prompt: 'Think' }, { client, meta });
    await tools.clock.advance(18_000);
    expect((await call).meta).toMatchObject({ jobState: 'running' });
    const refused = tools.call(
      'chat',
      { prompt: 'Think' },
      { client, meta: { 'gemini-mcp-server/callLimitMs': '20' } },
    );
    await expect(refused).rejects.toThrow('must be whole milliseconds');
    await tools.jobs.close();
  });
});

describe('the client of a long call', () => {
  it('that cancels before the handover ends the work', async () => {
    const tools = setUp();
    const client = await tools.connect(impatient);
    const cancelling = new AbortController();
    const call = tools.call('chat', { prompt: 'Think' }, { client, signal: cancelling.signal });
    await tools.clock.advance(1_000);
    cancelling.abort('The user pressed Escape');
    await expect(call).rejects.toThrow();
    await expect.poll(() => tools.clock.sleeping).toBe(0);
    expect(tools.jobs.list(impatient)).toEqual([]);
  });

  it('that goes after the handover leaves the job, and finds its answer when it comes back', async () => {
    const tools = setUp();
    const client = await tools.connect(impatient);
    const call = tools.call('chat', { prompt: 'Think' }, { client });
    await tools.clock.advance(returnsAfterMs);
    const handle = handleIn(await call);
    await client.close();
    tools.finish();
    const back = await tools.connect(impatient);
    const waited = await tools.call('gemini_job', { handle, action: 'wait' }, { client: back });
    expect(waited.parts[0]).toBe('The first half, and the second.');
    const stranger = await tools.call('gemini_job', { handle }, { client: await tools.connect('bob') });
    expect(stranger.text).toContain('Unknown job');
    expect(stranger.text).toContain('You have no jobs.');
  });

  it.each(['McpError: MCP error -32001: Request timed out', 'request timeout'])(
    'that runs out of time by itself (%s) leaves a job, and is known from then on',
    async (reason) => {
      const tools = setUp();
      const client = await tools.connect('a program');
      const cancelling = new AbortController();
      const call = tools.call('chat', { prompt: 'Think' }, { client, signal: cancelling.signal });
      await tools.clock.advance(30_000);
      cancelling.abort(reason);
      await expect(call).rejects.toThrow();
      await expect.poll(() => tools.jobs.list('a program').length).toBe(1);
      const listed = await tools.call('gemini_job', {}, { client });
      expect(listed).toMatchObject({
        isError: false,
        text: expect.stringMatching(/^Your jobs:\n {2}- job\d+: running, Think$/),
      });
      const again = tools.call('chat', { prompt: 'Again' }, { client });
      await tools.clock.advance(27_000);
      expect((await again).meta).toMatchObject({ jobState: 'running' });
      tools.finish();
      const [, first] = tools.jobs.list('a program');
      const waited = await tools.call('gemini_job', { handle: first?.handle ?? '', action: 'wait' }, { client });
      expect(waited.parts[0]).toBe('The first half, and the second.');
    },
  );

  it('of revision 2026-07-28 that runs out of time leaves a job', async () => {
    const tools = setUp();
    const surface = { tools: tools.tools, prompts: [], resources: [] };
    const log = ({ error }: { readonly error: unknown }): never => rethrow(error);
    const options = { version: '1', surface, clock: tools.clock, log, ownerOf: () => 'ada' };
    const connection = new ModernConnection(options, {
      send: () => Promise.resolve(),
      onerror: rethrow,
      close: () => undefined,
    });
    const params = { name: 'chat', arguments: { prompt: 'Think' }, _meta: envelope() };
    connection.receive({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
    await expect.poll(() => tools.runner.requests.length).toBe(1);
    const cancelled = { requestId: 7, reason: 'Request timed out' };
    connection.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: cancelled });
    await connection.callsEnded();
    expect(tools.jobs.list('ada')).toMatchObject([{ state: 'running', title: 'Think' }]);
    tools.finish();
    await tools.jobs.close();
  });

  it('that runs out of time ends an agent that may change its project', async () => {
    const tools = setUp();
    const client = await tools.connect('a program');
    const cancelling = new AbortController();
    const call = tools.call('gemini_agent', { task: 'Think', mode: 'edit' }, { client, signal: cancelling.signal });
    await tools.clock.advance(30_000);
    cancelling.abort('Request timed out');
    await expect(call).rejects.toThrow();
    await expect.poll(() => tools.clock.sleeping).toBe(0);
    expect(tools.jobs.list('a program')).toEqual([]);
  });

  it.each([{}, { timeout: 600 }])(
    'gets the state of a job it waits for before its patience ends: %j',
    async (given) => {
      const tools = setUp();
      const client = await tools.connect(impatient);
      const { meta } = await tools.call('geminiChat', { prompt: 'Think', background: true }, { client });
      const waiting = tools.call('gemini_job', { handle: meta?.['jobHandle'], action: 'wait', ...given }, { client });
      await tools.clock.advance(returnsAfterMs);
      const { text } = await waiting;
      expect(text).toContain('is running, for 54 s now');
      expect(text).toContain(`call gemini_job with handle "${meta?.['jobHandle']}" and action "wait"`);
      expect(text).toContain('| The first half, ');
      await tools.jobs.close();
    },
  );
});

describe('a question of a call that becomes a job', () => {
  it('is withdrawn, and a later one is not asked: each is refused with the way to allow the step beforehand', async () => {
    const clock = new FakeClock();
    const jobs = new BackgroundJobs<ToolOutcome>({ clock, createHandle: () => 'job1', onError: rethrow });
    const asked: string[] = [];
    const withdrawn: string[] = [];
    const client = new Client({ name: impatient, version: '1' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => {
      asked.push(params.message);
      signal.addEventListener('abort', () => withdrawn.push(params.message));
      return new Promise(() => undefined);
    });
    await connect(client, clock, askingTool(jobs, clock));
    const call = client.callTool({ name: 'work' });
    await expect.poll(() => asked.length).toBe(1);
    await clock.advance(returnsAfterMs);
    const { content } = CallToolResultSchema.parse(await call);
    expect(content[0]).toMatchObject({ text: expect.stringContaining('this call has become job job1') });
    await expect.poll(() => withdrawn).toEqual(asked);
    const job = await jobs.wait({ owner: 'ada', handle: 'job1', timeoutMs: 1_000 }, new AbortController().signal);
    const refused = {
      type: 'cannot-ask',
      text:
        'A run in the background cannot ask: a call without background can, until it becomes a job. ' +
        'A user at a terminal of the server can allow it for good by typing: allow files__delete',
    };
    expect(JSON.parse(job?.result?.text ?? '')).toEqual([refused, refused]);
    expect(asked).toHaveLength(1);
  });
});

/** A tool whose work asks two questions, one after the other, and answers with their outcomes. */
function askingTool(jobs: BackgroundJobs<ToolOutcome>, clock: FakeClock): Tool {
  return {
    name: 'work',
    title: 'Work',
    description: 'Works',
    input: z.strictObject({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: (_args, context) => {
      const approver = new ElicitingApprover({ ask: context.ask, clock });
      const ask = (signal: AbortSignal): Promise<unknown> =>
        approver.ask(
          {
            handle: 'step',
            subject: { type: 'tool', server: 'files', digest: '', tool: 'delete', arguments: {}, warnings: [] },
            reason: 'Tools of other servers may change something.',
            kind: null,
            wholeServer: null,
            lasting: null,
            toType: 'allow files__delete',
            deadlineAtMs: clock.now() + 900_000,
          },
          signal,
        );
      const work = async (_progress: unknown, signal: AbortSignal): Promise<ToolOutcome> => {
        const outcomes = [await ask(signal), await ask(signal)];
        return { text: JSON.stringify(outcomes), isError: false };
      };
      return workInForeground({ jobs, title: 'Work', work }, context);
    },
  };
}

async function connect(client: Client, clock: FakeClock, tool: Tool): Promise<void> {
  const server = createMcpServer({
    version: '1',
    surface: { tools: [tool], prompts: [], resources: [] },
    clock,
    log: ({ error }) => rethrow(error),
    ownerOf: () => 'ada',
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  await client.connect(clientSide);
}

function rethrow(error: unknown): never {
  throw error;
}
