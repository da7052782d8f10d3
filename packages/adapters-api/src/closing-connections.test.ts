import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type Socket } from 'node:net';
import type { Clock, RunEvent } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import { ask, collect } from './testing/ask.ts';
import { beginStream, eventOf } from './testing/raw-stream.ts';
import { RunnerPlace } from './testing/runner-place.ts';
import { wallClock } from './testing/wall-clock.ts';

const place = new RunnerPlace();
const cancelled = { type: 'failure', failure: { kind: 'cancelled' } };

const drip: RequestListener = (_, response) => {
  beginStream(response);
  const timer = setInterval(() => response.write(': still here\n\n'), 5);
  response.write(eventOf('Begin'));
  response.on('close', () => clearInterval(timer));
};

describe('ApiGeminiRunner closes its connection', () => {
  it.each([
    ['a slow drip keeps it alive', true],
    ['no one reads on', false],
  ])('CLI-01: at the deadline, though %s', async (_, readsOn) => {
    const { server } = await place.serve(drip);
    const clock = new FakeClock();
    const request = { model: 'gemini-3.8-flash', input: 'Why?', deadlineAtMs: clock.now() + 60_000 };
    const runner = place.runnerAt(server.url, { clock });
    const events = runner.run(request, new AbortController().signal);
    expect(await events.next()).toEqual({ done: false, value: { type: 'text', text: 'Begin' } });
    const rest = readsOn ? collect(events) : null;
    await clock.advance(60_000);
    await server.allClosed();
    expect((await rest) ?? (await collect(events))).toEqual([{ type: 'failure', failure: { kind: 'timeout' } }]);
  });

  it('LOAD-06: when the caller aborts', async () => {
    const { runner, server } = await place.serve(drip);
    const abort = new AbortController();
    const seen: RunEvent[] = [];
    for await (const event of ask(runner, { signal: abort.signal })) {
      seen.push(event);
      abort.abort();
    }
    expect(seen).toEqual([{ type: 'text', text: 'Begin' }, cancelled]);
    await server.allClosed();
  });

  it('when the consumer leaves', async () => {
    const { runner, server } = await place.serve(drip);
    for await (const event of ask(runner)) {
      expect(event).toEqual({ type: 'text', text: 'Begin' });
      break;
    }
    await server.allClosed();
  });

  it('some seconds into an endless error, and reports it', async () => {
    const { server } = await place.serve((_, response) => response.writeHead(503).write('{'));
    // The deadline is a minute away. What sleeps for less is over at once.
    const sleep: Clock['sleep'] = (durationMs, signal) =>
      durationMs < 30_000 ? Promise.resolve() : wallClock.sleep(durationMs, signal);
    const runner = place.runnerAt(server.url, { clock: { now: wallClock.now, sleep } });
    expect(await collect(ask(runner))).toEqual([
      { type: 'failure', failure: expect.objectContaining({ kind: 'overloaded' }) },
    ]);
    await server.allClosed();
  });
});

describe('ApiGeminiRunner closes a silent connection when the caller aborts (LOAD-06)', () => {
  it('amid a large request', async () => {
    const sockets: Socket[] = [];
    const server = await place.listen(createServer((socket) => sockets.push(socket.pause())));
    const connected = server.connected();
    const abort = new AbortController();
    const events = collect(ask(place.runnerAt(server.url), { signal: abort.signal, input: 'x'.repeat(7_000_000) }));
    await connected;
    abort.abort();
    expect(await events).toEqual([cancelled]);
    // The end comes after the unread rest.
    sockets[0]?.resume();
    await server.allClosed();
  });

  it('before TLS has come about', async () => {
    const server = await place.listen(createServer((socket) => socket.resume()));
    const connected = server.connected();
    const abort = new AbortController();
    const events = collect(ask(place.runnerAt(`https://${server.host}`), { signal: abort.signal }));
    await connected;
    abort.abort();
    expect(await events).toEqual([cancelled]);
    await server.allClosed();
  });

  it.each([
    ['does not answer', 'http', keepOpen],
    ['opens a tunnel into which no one speaks TLS', 'https', openTunnel],
    ['opens a tunnel without a response', 'http', openTunnel],
  ])('to a proxy that %s', async (_, scheme, answer) => {
    const proxy = await place.listen(createHttpServer().on('connect', (__, socket) => answer(socket as Socket)));
    const connected = proxy.connected();
    const abort = new AbortController();
    const proxies = { http: proxy.url, https: null, except: null };
    const runner = place.runnerAt(`${scheme}://api.example`, { proxies });
    const events = collect(ask(runner, { signal: abort.signal }));
    await connected;
    abort.abort();
    expect(await events).toEqual([cancelled]);
    await proxy.allClosed();
  });

  it("to a proxy, without affecting another run's", async () => {
    const tunnels: Socket[] = [];
    const requested = createHttpServer();
    const proxy = await place.listen(requested.on('connect', (_, socket: Socket) => tunnels.push(keepOpen(socket))));
    const runner = place.runnerAt('http://api.example', { proxies: { http: proxy.url, https: null, except: null } });
    const abort = new AbortController();
    const first = collect(ask(runner, { signal: abort.signal }));
    await once(requested, 'connect');
    const second = collect(ask(runner));
    await once(requested, 'connect');
    const [tunnelOfFirst, tunnelOfSecond] = tunnels;
    const closed = new Promise((resolve) => tunnelOfFirst?.once('close', resolve));
    abort.abort();
    expect(await first).toEqual([cancelled]);
    await closed;
    tunnelOfSecond?.write('HTTP/1.1 200 Connection established\r\n\r\n');
    tunnelOfSecond?.once('data', () => {
      tunnelOfSecond.end(`HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n${eventOf('Yes', 'STOP')}`);
    });
    expect(await second).toContainEqual({ type: 'text', text: 'Yes' });
  });
});

/** What an HTTP server hands out is read by no one, and does not close with its other end. */
function keepOpen(socket: Socket): Socket {
  return socket.on('end', () => socket.destroy()).resume();
}

function openTunnel(socket: Socket): void {
  keepOpen(socket).write('HTTP/1.1 200 Connection established\r\n\r\n');
}
