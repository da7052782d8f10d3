import { once } from 'node:events';
import { streamSSE } from 'hono/streaming';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuse } from '../refusal.ts';
import { logRequests } from './log-requests.ts';
import { type LoggedLine, ServedApp } from './testing/served-app.ts';

let served: ServedApp;

beforeEach(async () => {
  served = new ServedApp();
  served.app.use(logRequests(served));
  served.app.get('/healthz', (context) => context.json({}));
  served.app.post('/api/:name', (context) => context.json({ said: 'hello' }, 201));
  served.app.get('/refused', (context) => refuse(context, { status: 429, code: 'rate-limited', message: 'Later.' }));
  served.app.get('/guessed', (context) =>
    refuse(context, { status: 429, code: 'too-many-wrong-tokens', message: 'Later.' }),
  );
  served.app.get('/stream', (context) =>
    streamSSE(context, async (stream) => {
      await stream.writeSSE({ data: 'first' });
      await new Promise<void>((resolve) => {
        stream.onAbort(resolve);
      });
    }),
  );
  await served.start();
});

afterEach(() => served.stop());

/** Makes a request, and resolves to its log line once its response has ended. */
async function lineOf(request: () => Promise<unknown>): Promise<LoggedLine | undefined> {
  const logged = new Promise<void>((resolve) => {
    served.server.once('request', (_, outgoing) => outgoing.once('close', () => setImmediate(resolve)));
  });
  await request();
  await logged;
  return served.lines.at(-1);
}

describe('logRequests', () => {
  it("writes a line for each request, without the caller's text", async () => {
    const headers = { 'X-Principal': 'alice', Authorization: 'Bearer canary', 'X-Request-Id': 'id-1' };
    const line = await lineOf(async () => {
      const response = await fetch(served.url('/api/canary?key=canary'), { method: 'POST', headers, body: 'canary' });
      await response.text();
    });
    expect(line).toEqual({
      level: 'info',
      event: 'request',
      requestId: 'id-1',
      method: 'POST',
      route: '/api/:name',
      status: 201,
      durationMs: expect.any(Number),
      bytes: expect.any(Number),
      principal: 'alice',
    });
    expect(line?.['bytes']).toBeGreaterThan(100);
    expect(JSON.stringify(served.lines)).not.toContain('canary');
  });

  it('logs the code of a refusal', async () => {
    const line = await lineOf(() => fetch(served.url('/refused')));
    expect(line).toMatchObject({ status: 429, refusedAs: 'rate-limited' });
  });

  it('calls a missing route unknown', async () => {
    const line = await lineOf(() => fetch(served.url('/../etc/canary')));
    expect(line).toMatchObject({ status: 404, route: 'unknown' });
  });

  it('logs health checks only at debug', async () => {
    const line = await lineOf(() => fetch(served.url('/healthz')));
    expect(line).toMatchObject({ level: 'debug', route: '/healthz', status: 200 });
  });

  it('logs guesses at tokens beyond the first few only at debug', async () => {
    const line = await lineOf(() => fetch(served.url('/guessed')));
    expect(line).toMatchObject({ level: 'debug', status: 429, refusedAs: 'too-many-wrong-tokens' });
  });

  it('writes the line of a stream when it has ended, here because its receiver disconnected', async () => {
    const leaving = new AbortController();
    const closed = once(served.server, 'request').then(([, outgoing]) => once(outgoing, 'close'));
    const stream = await fetch(served.url('/stream'), { signal: leaving.signal });
    expect(served.lines).toEqual([]);
    leaving.abort();
    await stream.text().catch(() => undefined);
    await closed;
    expect(served.lines).toMatchObject([{ route: '/stream', status: 200, aborted: true }]);
  });
});
