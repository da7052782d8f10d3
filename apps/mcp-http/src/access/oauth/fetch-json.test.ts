import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenOnLoopback } from '../testing/listen-on-loopback.ts';
import { fetchJson } from './issuer-keys.ts';

let port: number;
let close: () => Promise<void>;

beforeEach(async () => {
  const server = createServer((request, response) => {
    if (request.url === '/silent') {
      return;
    }
    response.write(request.url === '/stalled' ? '{' : Uint8Array.of(0x22, 0xff, 0x22));
    if (request.url !== '/stalled') {
      response.end();
    }
  });
  ({ port, close } = await listenOnLoopback(server));
});

afterEach(() => close());

describe('fetchJson', () => {
  it.each(['/silent', '/stalled'])('waits for %s no longer than the limit', async (path) => {
    const url = `http://127.0.0.1:${port}${path}`;
    const fetched = await fetchJson(url, { fetch, timeoutMs: 50, maxBytes: 100 });
    expect(fetched).toMatchObject({ ok: false, answered: false, reason: expect.stringContaining('timeout') });
  });

  it('refuses JSON that is not text', async () => {
    const url = `http://127.0.0.1:${port}/`;
    const fetched = await fetchJson(url, { fetch, timeoutMs: 5_000, maxBytes: 100 });
    expect(fetched).toEqual({ ok: false, reason: `${url}: sent no JSON`, answered: true });
  });
});
