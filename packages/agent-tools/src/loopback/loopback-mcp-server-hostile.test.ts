import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ModelTool, ToolCall, ToolResult, ToolSession } from '@gemini-mcp/core';
import { FakeClock, ScriptedToolProvider } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LoopbackMcpServer } from './loopback-mcp-server.ts';

const { signal } = new AbortController();

const done: ToolResult = { text: 'Done.', data: {}, isDone: true };

describe('an endpoint among hostile programs', () => {
  let clock: FakeClock;
  let endpoint: LoopbackMcpServer;

  beforeEach(() => {
    clock = new FakeClock();
    endpoint = new LoopbackMcpServer({ clock, log: () => undefined });
  });
  afterEach(() => endpoint.close());

  const openSession = (source: ScriptedToolProvider): Promise<ToolSession> =>
    endpoint.open({ sources: [source], deadlineAtMs: clock.now() + 600_000, onStep: () => undefined }, signal);

  it('TOOLS-05: holds 256 of 10,000 connections of strangers, and still executes calls', async () => {
    const source = sourceOf(() => done);
    const toolSession = await openSession(source);
    const port = Number(new URL(toolSession.url).port);
    const [strangers, answers]: [Socket[], number[]] = [[], []];
    for (let wave = 0; wave < 50; wave += 1) {
      const sockets = Array.from({ length: 200 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
      strangers.push(...sockets);
      await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
      answers.push((await post(toolSession, callOf(wave))).status);
    }
    await new Promise(setImmediate);
    expect(answers).toEqual(Array.from({ length: 50 }, () => 200));
    expect(source.calls).toHaveLength(50);
    await expect.poll(() => strangers.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(256);
    for (const socket of strangers) {
      socket.destroy();
    }
  });

  it("TOOLS-05: reads no stranger's body, and no oversized one", async () => {
    const toolSession = await openSession(sourceOf(() => done));
    const huge = 'x'.repeat(9_000_000);
    const of = (token: string): Promise<number> =>
      fetch(toolSession.url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: huge }).then(
        ({ status }) => status,
        () => 0,
      );
    // If the connection ends while the body is still being sent, there may be no response.
    expect([401, 0]).toContain(await of('0'.repeat(64)));
    expect([413, 0]).toContain(await of(toolSession.token));
  });

  it.each([
    'not json',
    '[]',
    '"text"',
    'null',
    '{"jsonrpc":"2.0","id":"text","method":"tools/call","params":{"name":"put"}}',
    '{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{"name":"put"}}',
    '{"jsonrpc":"2.0","id":99999999,"method":"tools/call","params":{"name":"put"}}',
    '[{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"put"}}]',
  ])('refuses %s', async (body) => {
    const source = sourceOf(() => done);
    expect((await post(await openSession(source), body)).status).toBe(400);
    expect(source.calls).toEqual([]);
  });

  it('sends something every 20 s during a long call, so that no reader gives up', async () => {
    let finish: () => void = () => undefined;
    const source = sourceOf(
      () =>
        new Promise((resolve) => {
          finish = () => resolve(done);
        }),
    );
    const toolSession = await openSession(source);
    const response = await post(toolSession, callOf(0));
    const reader = response.body?.getReader();
    const read = async (): Promise<string> => new TextDecoder().decode((await reader?.read())?.value);
    for (let times = 0; times < 3; times += 1) {
      await clock.advance(20_000);
      expect(await read()).toBe(': \n\n');
    }
    finish();
    expect(await read()).toContain('"Done."');
  });

  it('ends the call of a program that disconnects', async () => {
    const ended = new Promise<AbortSignal>((resolve) => {
      const source = sourceOf((_, ofCall) => {
        ofCall.addEventListener('abort', () => resolve(ofCall), { once: true });
        gone.abort();
        return new Promise(() => undefined);
      });
      const gone = new AbortController();
      void openSession(source)
        .then((toolSession) => post(toolSession, callOf(0), gone.signal))
        .then((response) => response.text())
        .catch(() => undefined);
    });
    expect((await ended).aborted).toBe(true);
  });

  it('retains only the number of 2,000 calls', async () => {
    const toolSession = await openSession(sourceOf(() => done));
    for (let id = 0; id < 100; id += 1) {
      await (await post(toolSession, callOf(id))).text();
    }
    const before = process.getActiveResourcesInfo().length;
    for (let id = 100; id < 2_000; id += 1) {
      await (await post(toolSession, callOf(id))).text();
    }
    expect(toolSession.calls).toBe(2_000);
    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before + 5);
  });
});

function callOf(id: number): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'put', arguments: {} } });
}

function post({ url, token }: ToolSession, body: string, ofRequest?: AbortSignal): Promise<Response> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  return fetch(url, { method: 'POST', headers, body, ...(ofRequest && { signal: ofRequest }) });
}

function sourceOf(
  answer: (call: ToolCall, signal: AbortSignal) => ToolResult | Promise<ToolResult>,
): ScriptedToolProvider {
  const tool: ModelTool = { name: 'put', description: 'Puts.', inputSchema: { type: 'object' }, changes: true };
  return new ScriptedToolProvider({ tools: [tool], answer });
}
