import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServedApp } from '../operation/testing/served-app.ts';
import { limitRate } from './limit-rate.ts';

let served: ServedApp;

beforeEach(async () => {
  served = await new ServedApp().start();
});

afterEach(() => served.stop());

function limitTo(requestsPerMinute: number): void {
  served.app.use(limitRate({ requestsPerMinute }));
  served.app.get('*', (context) => context.json({}));
}

function ask(principal: string, path = '/api/x'): Promise<Response> {
  return fetch(served.url(path), { headers: { 'X-Principal': principal } });
}

async function statuses(principal: string, count: number): Promise<readonly number[]> {
  const responses = await Promise.all(Array.from({ length: count }, () => ask(principal)));
  return responses.map(({ status }) => status).sort();
}

describe('limitRate', () => {
  it("lets a principal's requests pass up to the limit", async () => {
    limitTo(3);
    expect(await statuses('a', 5)).toEqual([200, 200, 200, 429, 429]);
  });

  it('says when to try again, as JSON', async () => {
    limitTo(1);
    await ask('a');
    const response = await ask('a');
    const seconds = Number(response.headers.get('Retry-After'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await response.json()).toMatchObject({
      error: { code: 'rate-limited', message: expect.stringContaining(`Try again in ${seconds} s.`) },
    });
  });

  it('answers in JSON-RPC on MCP routes', async () => {
    limitTo(1);
    await ask('a', '/mcp');
    const response = await ask('a', '/mcp');
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } });
  });

  it('counts each principal separately', async () => {
    limitTo(1);
    await statuses('a', 3);
    expect((await ask('b')).status).toBe(200);
  });

  it('sets no limit when it is 0', async () => {
    limitTo(0);
    expect(new Set(await statuses('a', 50))).toEqual(new Set([200]));
  });
});
