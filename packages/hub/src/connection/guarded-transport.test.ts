import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { GuardedTransport } from './guarded-transport.ts';

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
