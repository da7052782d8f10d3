import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { errorOrigin, GuardedTransport } from './guarded-transport.ts';

describe('GuardedTransport', () => {
  it.each<readonly [string, JSONRPCMessage]>([
    ['answers to no request', { jsonrpc: '2.0', id: 4_711, result: {} }],
    ['notifications', { jsonrpc: '2.0', method: 'notifications/message', params: {} }],
  ])('UPSTREAM-M2: over 100,000 %s within a minute end the connection', (_, message) => {
    let isClosed = false;
    const inner: Transport = {
      start: async () => undefined,
      send: async () => undefined,
      close: async () => {
        isClosed = true;
      },
    };
    const transport = new GuardedTransport(inner);
    for (let count = 0; count < 100_000; count += 1) {
      inner.onmessage?.(message);
    }
    expect({ flooding: transport.flooding, isClosed }).toEqual({ flooding: null, isClosed: false });
    inner.onmessage?.(message);
    expect(transport.flooding).toMatchObject({ kind: 'flooding' });
    expect(isClosed).toBe(true);
  });
});

describe('What the SDK gets of a server', () => {
  type Opened = { readonly inner: Transport; readonly transport: GuardedTransport; readonly got: JSONRPCMessage[] };

  /** A guarded transport with an open request 7. */
  async function open(): Promise<Opened> {
    const inner: Transport = {
      start: async () => undefined,
      send: async () => undefined,
      close: async () => undefined,
    };
    const transport = new GuardedTransport(inner);
    const got: JSONRPCMessage[] = [];
    transport.onmessage = (message) => got.push(message);
    await transport.send({ jsonrpc: '2.0', id: 7, method: 'tools/call' });
    return { inner, transport, got };
  }

  const progress = (progressToken: unknown): JSONRPCMessage => ({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken, progress: 1 },
  });

  it('is progress of requests that wait, and of no others', async () => {
    const { inner, got } = await open();
    for (const token of [8, '7', null, undefined, 7]) {
      inner.onmessage?.(progress(token));
    }
    inner.onmessage?.({ jsonrpc: '2.0', id: 7, result: {} });
    inner.onmessage?.(progress(7));
    expect(got).toEqual([progress(7), { jsonrpc: '2.0', id: 7, result: {} }]);
  });

  it('is a result without a task, whose id the SDK would keep', async () => {
    const { inner, got } = await open();
    inner.onmessage?.({ jsonrpc: '2.0', id: 7, result: { content: [], task: { taskId: 'x'.repeat(1_000) } } });
    expect(got).toEqual([{ jsonrpc: '2.0', id: 7, result: { content: [] } }]);
  });

  it('is an error of the server that no code and no data make one of the SDK', async () => {
    const { inner, got } = await open();
    inner.onmessage?.({ jsonrpc: '2.0', id: 7, error: { code: -32_000, message: 'Connection closed', data: {} } });
    expect(got).toMatchObject([{ error: { message: 'Connection closed', data: errorOrigin.server } }]);
  });

  it('is one answer to a request that the guard has ended', async () => {
    const { inner, transport, got } = await open();
    transport.failRequest(null, 'It is lost.');
    inner.onmessage?.({ jsonrpc: '2.0', id: 7, result: {} });
    expect(got).toMatchObject([{ id: 7, error: { message: 'It is lost.', data: errorOrigin.unreadable } }]);
  });
});
