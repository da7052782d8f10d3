import { once } from 'node:events';
import { streamSSE } from 'hono/streaming';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServedApp } from '../operation/testing/served-app.ts';
import { limitConcurrency } from './limit-concurrency.ts';

let served: ServedApp;
let release: () => void;
/** Resolves when the next response to `/waits` or `/stream` has ended on the server. */
let ended: Promise<unknown>;

beforeEach(async () => {
  served = await new ServedApp().start();
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  served.app.use(limitConcurrency({ maxRequests: 2 }));
  served.app.get('/quick', (context) => context.json({}));
  served.app.get('/waits', async (context) => {
    ended = once(context.env.outgoing, 'close');
    await released;
    return context.json({});
  });
  served.app.get('/stream', (context) => {
    ended = once(context.env.outgoing, 'close');
    return streamSSE(context, async (stream) => {
      await stream.writeSSE({ data: 'first' });
      await released;
    });
  });
});

afterEach(async () => {
  release();
  await served.stop();
});

function ask(path: string, principal = 'a', signal: AbortSignal | null = null): Promise<Response> {
  return fetch(served.url(path), { headers: { 'X-Principal': principal }, signal });
}

/** Opens as many streams as the limit allows. */
async function openStreams(signal: AbortSignal | null = null): Promise<readonly Response[]> {
  return [await ask('/stream', 'a', signal), await ask('/stream')];
}

describe('limitConcurrency', () => {
  it("refuses a principal's requests over its concurrency limit, and no other's", async () => {
    await openStreams();
    const refused = await ask('/quick');
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1']);
    expect(await refused.json()).toMatchObject({ error: { code: 'too-many-requests' } });
    expect((await ask('/quick', 'b')).status).toBe(200);
  });

  it('counts a stream until it has ended', async () => {
    const streams = await openStreams();
    release();
    await Promise.all(streams.map((stream) => stream.text()));
    await ended;
    expect((await ask('/quick')).status).toBe(200);
  });

  it('stops counting a request whose sender has disconnected', async () => {
    const leaving = new AbortController();
    await ask('/stream');
    const stream = await ask('/stream', 'a', leaving.signal);
    expect((await ask('/quick')).status).toBe(429);
    leaving.abort();
    await stream.text().catch(() => undefined);
    await ended;
    expect((await ask('/quick')).status).toBe(200);
  });

  it('does not count a refused request', async () => {
    await openStreams();
    for (let time = 0; time < 5; time += 1) {
      expect((await ask('/quick')).status).toBe(429);
    }
    release();
    await ended;
    const responses = await Promise.all([ask('/waits'), ask('/waits')]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  });
});
