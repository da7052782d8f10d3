import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { RunEvent } from '@gemini-mcp/core';
import { startOfflineGeminiApi, text } from '@gemini-mcp/port-contracts/offline-api';
import { describe, expect, it } from 'vitest';
import { ApiGeminiRunner } from './api-gemini-runner.ts';
import type { Proxies } from './proxies.ts';
import { wallClock } from './testing/wall-clock.ts';

type Asked = { readonly events: readonly RunEvent[]; readonly tunnels: readonly string[] };

/** Asks an offline API next to a proxy on a loopback port, which lets everything through or nothing. */
async function askThrough(choose: (proxyUrl: string) => Partial<Proxies>, letsThrough = true): Promise<Asked> {
  const api = await startOfflineGeminiApi({ reply: text('Yes') });
  const tunnels: string[] = [];
  const proxy = createServer().on('connect', ({ url = '' }, client) => {
    tunnels.push(url);
    if (!letsThrough) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const target = connect(Number(new URL(`http://${url}`).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(target).pipe(client);
    });
    client.on('error', () => target.destroy());
    target.on('error', () => client.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const runner = new ApiGeminiRunner({
    login: { type: 'gemini-key', apiKey: api.environment().GEMINI_API_KEY },
    geminiBaseUrl: api.url,
    clock: wallClock,
    proxies: { http: null, https: null, except: null, ...choose(`http://127.0.0.1:${port}`) },
  });
  try {
    const events: RunEvent[] = [];
    const request = { model: 'gemini-3.8-flash', input: 'Why?', deadlineAtMs: wallClock.now() + 60_000 };
    for await (const event of runner.run(request, new AbortController().signal)) {
      events.push(event);
    }
    return { events, tunnels: tunnels.map((url) => (api.url.endsWith(url) ? 'the API' : url)) };
  } finally {
    await runner.close();
    await api.close();
    proxy.closeAllConnections();
    proxy.close();
  }
}

describe('ApiGeminiRunner and proxies', () => {
  it('goes through the proxy for the scheme of the address', async () => {
    const { events, tunnels } = await askThrough((http) => ({ http }));
    expect(tunnels).toEqual(['the API']);
    expect(events).toContainEqual({ type: 'text', text: 'Yes' });
  });

  it.each([
    ['a host that is excepted', (http: string) => ({ http, except: '127.0.0.1' })],
    ['the other scheme', (https: string) => ({ https })],
  ])('goes past it for %s', async (_, choose) => {
    const { events, tunnels } = await askThrough(choose);
    expect(tunnels).toEqual([]);
    expect(events).toContainEqual({ type: 'text', text: 'Yes' });
  });

  it('says so where the proxy asks for a login', async () => {
    const { events } = await askThrough((http) => ({ http }), false);
    expect(events).toEqual([
      { type: 'failure', failure: { kind: 'network', excerpt: expect.stringContaining('407') } },
    ]);
  });
});
