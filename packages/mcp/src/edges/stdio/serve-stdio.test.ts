import { PassThrough } from 'node:stream';
import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Tool } from '../../surface/tool.ts';
import { metaKeys } from '../modern/envelope.ts';
import { modernRequest } from '../testing/modern-caller.ts';
import { serveStdio } from './serve-stdio.ts';
import type { StdioServed } from './stdio-served.ts';

type Served = {
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  readonly served: Promise<StdioServed>;
  /** Counts the calls of `onClient`. */
  readonly clients: () => number;
  /** The signals of the calls that the tool has got, and of those that it has ended. */
  readonly calls: readonly AbortSignal[];
  readonly ended: readonly AbortSignal[];
  /** The next message from the server, or null after its last. */
  readonly next: () => Promise<unknown>;
  readonly send: (...messages: readonly unknown[]) => void;
};

/** Runs until it is aborted, and then takes its time. */
function createHangingTool(calls: AbortSignal[], ended: AbortSignal[]): Tool {
  return {
    name: 'hang',
    title: 'Hang',
    description: 'Hangs',
    input: z.strictObject({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: (_args, { signal }) => {
      calls.push(signal);
      return new Promise((resolve) => {
        const end = (): void => {
          ended.push(signal);
          resolve({ text: 'aborted', isError: true });
        };
        signal.addEventListener('abort', () => setImmediate(end));
      });
    },
  };
}

function serve(signal = new AbortController().signal): Served {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const calls: AbortSignal[] = [];
  const ended: AbortSignal[] = [];
  const tool = createHangingTool(calls, ended);
  const server = {
    version: '1.0.0',
    surface: { tools: [tool], prompts: [], resources: [] },
    clock: new FakeClock(),
    log: () => undefined,
    ownerOf: () => 'alice',
  };
  let clientCount = 0;
  const onClient = (): void => {
    clientCount += 1;
  };
  const served = serveStdio({ server, stdin, stdout, onClient }, signal);
  const chunks: AsyncIterator<unknown> = stdout.iterator();
  let text = '';
  return {
    stdin,
    stdout,
    served,
    clients: () => clientCount,
    calls,
    ended,
    send: (...messages) => void stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
    next: async () => {
      while (!text.includes('\n')) {
        const { value, done } = await chunks.next();
        if (done) {
          return null;
        }
        text += String(value);
      }
      const line = text.slice(0, text.indexOf('\n'));
      text = text.slice(line.length + 1);
      return JSON.parse(line);
    },
  };
}

function request(id: unknown, method: string, params?: object): object {
  return { jsonrpc: '2.0', id, method, ...(params && { params }) };
}

const hang = { name: 'hang', arguments: {} };
const initialize = request('init', 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

describe('serveStdio', () => {
  it('answers requests that were piped in with the end of input right after them', async () => {
    const { stdin, next, send, served } = serve();
    send(initialize, request(1, 'tools/list'), request(2, 'ping'));
    stdin.end();
    const answers = [await next(), await next(), await next()];
    expect(new Set(answers.map((answer) => (answer as { id: unknown }).id))).toEqual(new Set(['init', 1, 2]));
    expect(await served).toMatchObject({ reason: 'end-of-input' });
  });

  it('does not wait for a tool call at the end of input', async () => {
    const { stdin, next, send, served, calls } = serve();
    send(initialize, request(1, 'tools/call', hang));
    await next();
    stdin.end();
    const { reason, callsEnded } = await served;
    await callsEnded;
    expect(reason).toBe('end-of-input');
    expect(calls.map((call) => call.aborted)).toEqual(calls.map(() => true));
  });

  it.each([{}, { protocolVersion: 1 }, { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: 'me' }])(
    'refuses to initialize with %j in its own words',
    async (params) => {
      const { send, next, stdin } = serve();
      send(request(3, 'initialize', params));
      const message = expect.stringMatching(/^Invalid parameters: initialize needs protocolVersion /);
      expect(await next()).toMatchObject({ id: 3, error: { code: -32602, message } });
      send(initialize);
      expect(await next()).toMatchObject({ id: 'init', result: { protocolVersion: '2025-11-25' } });
      stdin.end();
    },
  );

  it.each(['resources/subscribe', 'logging/setLevel', 'no/such/method', 'notifications/initialized'])(
    'answers the request %s, which it does not serve, with "method not found"',
    async (method) => {
      const { send, next, stdin } = serve();
      send(request(7, method, {}));
      expect(await next()).toMatchObject({ id: 7, error: { code: -32601 } });
      stdin.end();
    },
  );

  it('answers 10,000 pings that come in one write, in order', async () => {
    const { send, next, stdin } = serve();
    const ids = Array.from({ length: 10_000 }, (_, id) => id);
    send(...ids.map((id) => request(id, 'ping')));
    for (const id of ids) {
      expect(await next()).toEqual({ jsonrpc: '2.0', id, result: {} });
    }
    stdin.end();
  });

  it.each([null, 1.5, 2 ** 60])('refuses the id %j and goes on', async (id) => {
    const { send, next, stdin } = serve();
    send(request(id, 'ping'), request('', 'ping'));
    const replies = [await next(), await next()];
    expect(replies).toContainEqual({ jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.any(String) } });
    expect(replies).toContainEqual({ jsonrpc: '2.0', id: '', result: {} });
    stdin.end();
  });

  it('refuses the id of a running call, which goes on', async () => {
    const { send, next, stdin, calls } = serve();
    send(request(5, 'tools/call', hang), request(5, 'tools/call', hang), request(6, 'tools/list'));
    expect(await next()).toMatchObject({ id: 5, error: { code: -32600 } });
    expect(await next()).toMatchObject({ id: 6, result: {} });
    expect(calls.map(({ aborted }) => aborted)).toEqual([false]);
    stdin.end();
  });

  it.each([5, 0, ''])(
    'CANCEL-05: aborts the call of the id %j that was cancelled, and not the next one of that id',
    async (id) => {
      const { send, next, stdin, calls } = serve();
      const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } };
      send(request(id, 'tools/call', hang), request(6, 'tools/list'));
      expect(await next()).toMatchObject({ id: 6, result: {} });
      send(cancel, request(id, 'tools/call', hang), request(7, 'tools/list'));
      expect(await next()).toMatchObject({ id: 7, result: {} });
      expect(calls.map(({ aborted }) => aborted)).toEqual([true, false]);
      stdin.end();
    },
  );

  it('aborts the running calls at the end of the input, and resolves when they are over', async () => {
    const { send, next, stdin, stdout, served, ended } = serve();
    send(request(1, 'tools/call', hang), request(2, 'tools/call', hang), request(3, 'tools/list'));
    expect(await next()).toMatchObject({ id: 3 });
    stdin.end('{"jsonrpc":"2.0","id":4,');
    const { reason, cause, callsEnded } = await served;
    expect({ reason, cause }).toEqual({ reason: 'end-of-input', cause: null });
    expect(ended).toHaveLength(0);
    await callsEnded;
    expect(ended).toHaveLength(2);
    stdout.end();
    expect(await next()).toBeNull();
  });

  it('ends when the client is gone', async () => {
    const { stdout, served } = serve();
    stdout.destroy(Object.assign(new Error('broken'), { code: 'EPIPE' }));
    expect(await served).toMatchObject({ reason: 'output-closed', cause: { code: 'EPIPE' } });
  });

  it('ends after a line beyond the limit, having said why', async () => {
    const { stdin, next, served } = serve();
    stdin.write(Buffer.alloc(10 * 1024 * 1024 + 1, 'x'));
    expect(await next()).toMatchObject({ id: null, error: { code: -32600 } });
    expect((await served).reason).toBe('line-too-long');
  });

  it('ends when its signal is aborted, also beforehand', async () => {
    const controller = new AbortController();
    const { served } = serve(controller.signal);
    controller.abort();
    expect((await served).reason).toBe('closed');
    expect((await serve(AbortSignal.abort()).served).reason).toBe('closed');
  });
});

describe('serveStdio, before the code of an era is loaded', () => {
  it.each([
    ['2025-11-25', {}],
    ['2025-06-18', { elicitation: {}, roots: { listChanged: true } }],
    ['2024-11-05', { sampling: {}, extensions: { 'example.com/x': {} } }],
    ['2099-01-01', { experimental: { x: { y: {} } }, elicitation: { form: {}, url: {} } }],
  ])('greets a client of %s with the capabilities %j as the SDK does', async (protocolVersion, capabilities) => {
    const params = { protocolVersion, capabilities, clientInfo: { name: 'test', title: 'Test', version: '1' } };
    const { send, next, stdin } = serve();
    send(request(1, 'initialize', params));
    const greeting = await next();
    // The second one finds the SDK loaded.
    send(request(2, 'initialize', params));
    expect(JSON.stringify(await next())).toBe(JSON.stringify(greeting).replace('"id":1', '"id":2'));
    stdin.end();
  });

  it('answers the requests that a client sends along with its handshake', async () => {
    const { send, next, stdin } = serve();
    send(
      initialize,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      request(1, 'tools/list'),
      request(2, 'ping'),
    );
    const ids = [await next(), await next(), await next()].map((answer) => (answer as { id: unknown }).id);
    expect(ids).toEqual(['init', 2, 1]);
    stdin.end();
  });

  it('takes a probe for no client', async () => {
    const { send, next, stdin, clients } = serve();
    send(modernRequest(1, 'server/discover'));
    expect(await next()).toMatchObject({
      id: 1,
      result: { resultType: 'complete', supportedVersions: ['2026-07-28'] },
    });
    expect(clients()).toBe(0);
    send(initialize, request(2, 'ping'));
    expect(await next()).toMatchObject({ id: 'init', result: { protocolVersion: '2025-11-25' } });
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
    expect(clients()).toBe(1);
    stdin.end();
  });

  it.each([
    ['a usual one', { capabilities: {} }],
    ['one that only the SDK can judge', { capabilities: { tasks: { list: {} } } }],
  ])(
    'takes a client that probes and then sends %s as initialize for a legacy one, also after another probe',
    async (_, more) => {
      const { send, next, stdin } = serve();
      const params = { protocolVersion: '2025-11-25', clientInfo: { name: 'test', version: '1' }, ...more };
      send(modernRequest(1, 'server/discover'), request(2, 'initialize', params));
      expect(await next()).toMatchObject({ id: 1, result: { resultType: 'complete' } });
      expect(await next()).toMatchObject({ id: 2, result: { protocolVersion: '2025-11-25' } });
      send(request(3, 'tools/list'), modernRequest(4, 'server/discover'), request(5, 'ping'));
      const answers = [await next(), await next(), await next()];
      expect(answers).toContainEqual(
        expect.objectContaining({ id: 3, result: expect.objectContaining({ tools: expect.anything() }) }),
      );
      expect(answers).toContainEqual({ jsonrpc: '2.0', id: 5, result: {} });
      stdin.end();
    },
  );

  it('answers a second request with the id of the handshake as the SDK does, and the handshake once', async () => {
    const { send, next, stdin } = serve();
    send(initialize, request('init', 'ping'), request(9, 'ping'));
    expect(await next()).toMatchObject({ id: 'init', result: { protocolVersion: '2025-11-25' } });
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 'init', result: {} });
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 9, result: {} });
    stdin.end();
  });

  it('refuses a malformed probe, and goes on', async () => {
    const { send, next, stdin } = serve();
    send(request(1, 'server/discover'), modernRequest(2, 'server/discover', {}, { [metaKeys.version]: '2099-01-01' }));
    expect(await next()).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(await next()).toMatchObject({ id: 2, error: { code: -32022, data: { supported: ['2026-07-28'] } } });
    send(initialize);
    expect(await next()).toMatchObject({ id: 'init', result: {} });
    stdin.end();
  });
});

describe('serveStdio, with requests of revision 2026-07-28', () => {
  it('answers each by itself, without a handshake', async () => {
    const { send, next, stdin } = serve();
    send(modernRequest('a', 'tools/list'));
    expect(await next()).toMatchObject({ id: 'a', result: { resultType: 'complete', tools: [{ name: 'hang' }] } });
    stdin.end();
  });

  it.each(['ping', 'initialize', 'logging/setLevel', 'no/such'])('does not know the method %s', async (method) => {
    const { send, next, stdin } = serve();
    send(modernRequest(1, method));
    expect(await next()).toMatchObject({ id: 1, error: { code: -32601 } });
    stdin.end();
  });

  it('refuses a request without _meta after a probe, because nothing says its revision', async () => {
    const { send, next, stdin } = serve();
    send(modernRequest(1, 'server/discover'), request(2, 'tools/list'));
    expect(await next()).toMatchObject({ id: 1, result: {} });
    expect(await next()).toMatchObject({ id: 2, error: { code: -32602 } });
    stdin.end();
  });

  it('keeps both eras apart on one line', async () => {
    const { send, next, stdin } = serve();
    send(
      initialize,
      modernRequest(1, 'tools/list'),
      request(2, 'tools/list'),
      modernRequest(3, 'ping'),
      request(4, 'ping'),
    );
    const answers = [await next(), await next(), await next(), await next(), await next()] as { id: unknown }[];
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    expect(byId.get(1)).toMatchObject({ result: { resultType: 'complete' } });
    expect(byId.get(2)).not.toMatchObject({ result: { resultType: 'complete' } });
    expect(byId.get(3)).toMatchObject({ error: { code: -32601 } });
    expect(byId.get(4)).toMatchObject({ result: {} });
    stdin.end();
  });

  it('aborts a call that is cancelled, without an answer, and frees its id', async () => {
    const { send, next, stdin, calls } = serve();
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } };
    send(modernRequest(5, 'tools/call', hang), modernRequest(6, 'tools/list'));
    expect(await next()).toMatchObject({ id: 6 });
    send(cancel, modernRequest(5, 'tools/call', hang), modernRequest(7, 'tools/list'));
    expect(await next()).toMatchObject({ id: 7 });
    expect(calls.map(({ aborted }) => aborted)).toEqual([true, false]);
    stdin.end();
  });

  it('refuses the id of a running call, which goes on', async () => {
    const { send, next, stdin, calls } = serve();
    send(modernRequest(5, 'tools/call', hang), modernRequest(5, 'tools/call', hang));
    expect(await next()).toMatchObject({ id: 5, error: { code: -32600 } });
    expect(calls.map(({ aborted }) => aborted)).toEqual([false]);
    stdin.end();
  });

  it('aborts the running calls at the end of input', async () => {
    const { send, next, stdin, served, ended } = serve();
    send(modernRequest(1, 'tools/call', hang), modernRequest(2, 'tools/list'));
    expect(await next()).toMatchObject({ id: 2 });
    stdin.end();
    const { reason, callsEnded } = await served;
    expect(reason).toBe('end-of-input');
    await callsEnded;
    expect(ended).toHaveLength(1);
  });
});
