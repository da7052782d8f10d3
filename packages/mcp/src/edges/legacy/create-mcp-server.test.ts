import { homedir } from 'node:os';
import { FakeClock } from '@gemini-mcp/core/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { InitializeResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { McpLogEntry } from '../../handlers/mcp-log.ts';
import type { Tool, ToolContext, ToolOutcome } from '../../surface/tool.ts';
import { createMcpServer, type McpServer } from './create-mcp-server.ts';

function toolRunning(run: (context: ToolContext) => Promise<ToolOutcome>, name = 'do_it'): Tool {
  return {
    name,
    title: 'Do it',
    description: 'Does it',
    input: z.strictObject({ size: z.int().optional() }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: (_args, context) => run(context),
  };
}

const answering = toolRunning(() => Promise.resolve({ text: 'done', isError: false }));

type Connected = {
  readonly client: Client;
  readonly server: McpServer;
  readonly clock: FakeClock;
  readonly log: McpLogEntry[];
  /** Methods, or `response`, in the order in which the client got them. */
  readonly received: string[];
};

async function connect(loadTools: () => Promise<readonly Tool[]>): Promise<Connected> {
  const clock = new FakeClock();
  const log: McpLogEntry[] = [];
  const received: string[] = [];
  const server = createMcpServer({
    version: '1.2.3',
    surface: { current: async () => ({ tools: await loadTools(), prompts: [], resources: [] }) },
    clock,
    log: (entry) => log.push(entry),
    ownerOf: (name) => `owner of ${name}`,
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  const client = new Client({ name: 'test\u001bclient', version: '1' });
  await client.connect(clientSide);
  const deliver = clientSide.onmessage;
  clientSide.onmessage = (message, extra) => {
    received.push('method' in message ? message.method : 'response');
    deliver?.(message, extra);
  };
  return { client, server, clock, log, received };
}

function connectTool(tool: Tool): Promise<Connected> {
  return connect(() => Promise.resolve([tool]));
}

/** A tool that runs until the test ends it, and tells when it has begun. */
function createGate(): { tool: Tool; begun: Promise<ToolContext>; finish: (outcome: ToolOutcome) => void } {
  let begin: (context: ToolContext) => void = () => undefined;
  let finish: (outcome: ToolOutcome) => void = () => undefined;
  const begun = new Promise<ToolContext>((resolve) => {
    begin = resolve;
  });
  const finished = new Promise<ToolOutcome>((resolve) => {
    finish = resolve;
  });
  const tool = toolRunning((context) => {
    begin(context);
    return finished;
  });
  return { tool, begun, finish: (outcome) => finish(outcome) };
}

describe('createMcpServer', () => {
  it('introduces itself, and announces the features that it has', async () => {
    const { client } = await connectTool(answering);
    expect(client.getServerVersion()).toEqual({ name: 'gemini-mcp-server', title: 'Gemini', version: '1.2.3' });
    expect(client.getServerCapabilities()).toEqual({ tools: {}, prompts: {}, resources: {}, completions: {} });
    expect(client.getInstructions()).toContain('gemini_query');
    expect(client.getInstructions()?.length).toBeLessThan(500);
  });

  it('loads the tools at the first need, once', async () => {
    let loads = 0;
    const { client } = await connect(async () => {
      loads += 1;
      return [answering];
    });
    await client.ping();
    expect(loads).toBe(0);
    await Promise.all([client.listTools(), client.callTool({ name: 'do_it' }), client.listTools()]);
    expect(loads).toBe(1);
  });

  it('answers with an error while the tools cannot be loaded, and tries again', async () => {
    const outcomes = [0, 1].map((n) => () => Promise.reject(new Error(`broken ${n} in ${homedir()}`)));
    const { client, log } = await connect(() => outcomes.shift()?.() ?? Promise.resolve([answering]));
    await expect(client.listTools()).rejects.toThrow(
      /^MCP error -32603: Internal error [0-9a-f-]{36} in gemini-mcp-server/,
    );
    await expect(client.callTool({ name: 'do_it' })).rejects.not.toThrow(homedir());
    expect((await client.listTools()).tools).toHaveLength(1);
    expect(log.map(({ event, error }) => [event, error instanceof Error && error.message])).toEqual([
      ['surface-unavailable', `broken 0 in ${homedir()}`],
      ['surface-unavailable', `broken 1 in ${homedir()}`],
    ]);
  });

  it('has one page of tools', async () => {
    const { client } = await connectTool(answering);
    const page = await client.listTools();
    expect(page).toEqual({ tools: [expect.objectContaining({ name: 'do_it' })] });
    await expect(client.listTools({ cursor: 'next' })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('a tool call', () => {
  it('answers with one text and nothing else', async () => {
    const { client } = await connectTool(answering);
    expect(await client.callTool({ name: 'do_it', arguments: {} })).toEqual({
      content: [{ type: 'text', text: 'done' }],
    });
  });

  it('marks a failure', async () => {
    const { client } = await connectTool(toolRunning(() => Promise.resolve({ text: 'no', isError: true })));
    expect(await client.callTool({ name: 'do_it' })).toEqual({
      content: [{ type: 'text', text: 'no' }],
      isError: true,
    });
  });

  it('answers refused arguments with an error result', async () => {
    const { client } = await connectTool(answering);
    const result = await client.callTool({ name: 'do_it', arguments: { size: 'big', ['__proto__']: 1 } });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain('size: must be a number, not a string');
  });

  it('of an unknown tool gets an error that names the existing tools', async () => {
    const { client } = await connectTool(answering);
    await expect(client.callTool({ name: 'gemini_query\u001b[2J' })).rejects.toMatchObject({
      code: -32602,
      message: 'MCP error -32602: Unknown tool. The tools are: do_it',
    });
  });

  it.each([{}, { name: 5 }, { name: 'do_it', arguments: [] }, { name: 'do_it', arguments: null }])(
    'with the parameters %j is invalid',
    async (params) => {
      const { client } = await connectTool(answering);
      await expect(client.request({ method: 'tools/call', params }, z.looseObject({}))).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(
          /^MCP error -32602: Invalid parameters: (?:name must be a string|arguments must be an object)$/,
        ),
      });
    },
  );

  it('SECRET-08: that throws tells the client an id and the log the rest', async () => {
    const bug = new Error(`cannot read ${homedir()}/.gemini/oauth_creds.json`);
    const { client, log } = await connectTool(toolRunning(() => Promise.reject(bug)));
    const result = await client.callTool({ name: 'do_it' });
    const text = JSON.stringify(result);
    expect(result.isError).toBe(true);
    expect(text).not.toContain(homedir());
    expect(text).not.toContain('oauth');
    expect(text).not.toMatch(/\bat .*:\d+/);
    expect(log).toEqual([
      { event: 'tool-threw', subject: 'do_it', error: bug, correlationId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    ]);
    expect(text).toContain(log[0]?.correlationId);
  });

  it('of a tool that throws synchronously gets the same error', async () => {
    const { client, log } = await connectTool(
      toolRunning(() => {
        throw new TypeError('early');
      }),
    );
    expect((await client.callTool({ name: 'do_it' })).isError).toBe(true);
    expect(log).toHaveLength(1);
  });

  it('passes the caller to the tool', async () => {
    const { client } = await connectTool(
      toolRunning(({ clientName }) => Promise.resolve({ text: String(clientName), isError: false })),
    );
    const result = await client.callTool({ name: 'do_it' });
    expect(result.content).toEqual([{ type: 'text', text: 'test\\u{1b}client' }]);
  });
});

describe('progress', () => {
  it('reaches a client that asked for it, until the result', async () => {
    const gate = createGate();
    const { client, clock, received } = await connectTool(gate.tool);
    const told: unknown[] = [];
    const result = client.callTool({ name: 'do_it' }, undefined, { onprogress: (progress) => told.push(progress) });
    const context = await gate.begun;
    context.progress({ type: 'status', message: 'Reading files' });
    await clock.advance(0);
    context.progress({ type: 'text', text: 'Hello' });
    await clock.advance(10_000);
    gate.finish({ text: 'done', isError: false });
    await result;
    context.progress({ type: 'status', message: 'too late' });
    await clock.advance(60_000);
    expect(told).toEqual([
      { progress: 1, message: 'Reading files' },
      { progress: 2, message: '5 characters · Hello' },
      { progress: 3, message: '5 characters · 8 s · Hello' },
    ]);
    expect(received.at(-1)).toBe('response');
    expect(clock.sleeping).toBe(0);
  });

  it('costs nothing if the client did not ask', async () => {
    const gate = createGate();
    const { client, clock, received } = await connectTool(gate.tool);
    const result = client.callTool({ name: 'do_it' });
    const context = await gate.begun;
    context.progress({ type: 'status', message: 'Reading files' });
    await clock.advance(60_000);
    expect(clock.sleeping).toBe(0);
    gate.finish({ text: 'done', isError: false });
    await result;
    expect(received).toEqual(['response']);
  });
});

describe('cancellation', () => {
  it('reaches the tool, and nothing is sent after it', async () => {
    const gate = createGate();
    const { client, clock, received, server, log } = await connectTool(gate.tool);
    const cancel = new AbortController();
    const result = client.callTool({ name: 'do_it' }, undefined, {
      signal: cancel.signal,
      onprogress: () => undefined,
    });
    const context = await gate.begun;
    cancel.abort();
    await expect(result).rejects.toThrow();
    await clock.advance(0);
    expect(context.signal.aborted).toBe(true);
    context.progress({ type: 'status', message: 'too late' });
    await clock.advance(60_000);
    expect(clock.sleeping).toBe(0);
    gate.finish({ text: 'done', isError: false });
    await server.callsEnded();
    await client.ping();
    expect(received).toEqual(['response']);
    expect(log).toEqual([]);
  });

  it('does not log the exception that it causes in the tool', async () => {
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const tool = toolRunning(({ signal }) => {
      begin();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const { client, server, log } = await connectTool(tool);
    const cancel = new AbortController();
    const result = client.callTool({ name: 'do_it' }, undefined, { signal: cancel.signal });
    await begun;
    cancel.abort();
    await expect(result).rejects.toThrow();
    await server.callsEnded();
    expect(log).toEqual([]);
  });

  it('while the tools are loading keeps the tool from being run', async () => {
    let runs = 0;
    let load: (tools: readonly Tool[]) => void = () => undefined;
    const loading = new Promise<readonly Tool[]>((resolve) => {
      load = resolve;
    });
    const { client, server } = await connect(() => loading);
    const cancel = new AbortController();
    const result = client.callTool({ name: 'do_it' }, undefined, { signal: cancel.signal });
    await client.ping();
    cancel.abort();
    await expect(result).rejects.toThrow();
    await client.ping();
    load([
      toolRunning(async () => {
        runs += 1;
        return { text: 'done', isError: false };
      }),
    ]);
    await server.callsEnded();
    expect(runs).toBe(0);
  });

  it('of a call that is finished, unknown or cancelled already does no harm', async () => {
    const { client, log } = await connectTool(answering);
    await client.callTool({ name: 'do_it' });
    for (const requestId of [1, 1, 99, 'x']) {
      await client.notification({ method: 'notifications/cancelled', params: { requestId } });
    }
    expect(await client.callTool({ name: 'do_it' })).toMatchObject({ content: [{ text: 'done' }] });
    expect(log).toEqual([]);
  });

  it('comes with the end of the connection', async () => {
    const gate = createGate();
    const { client, server } = await connectTool(gate.tool);
    const result = client.callTool({ name: 'do_it' });
    const { signal } = await gate.begun;
    const refused = expect(result).rejects.toThrow();
    await client.close();
    await refused;
    expect(signal.aborted).toBe(true);
    gate.finish({ text: 'done', isError: false });
    await server.callsEnded();
  });

  it('keeps the owner of a connection when the client gives itself another name', async () => {
    const owners: string[] = [];
    const { client } = await connectTool(
      toolRunning(async ({ owner }) => {
        owners.push(owner);
        return { text: 'done', isError: false };
      }),
    );
    await client.callTool({ name: 'do_it' });
    const clientInfo = { name: 'somebody else', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    await client.request({ method: 'initialize', params }, InitializeResultSchema);
    await client.callTool({ name: 'do_it' });
    expect(owners).toEqual(['owner of test\u001bclient', 'owner of test\u001bclient']);
  });
});
