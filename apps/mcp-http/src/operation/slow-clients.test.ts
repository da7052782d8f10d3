import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readBoundedBody } from '../limits/read-body.ts';
import type { HttpLimits } from './create-http-server.ts';
import { RawConnection } from './testing/raw-connection.ts';
import { ServedApp } from './testing/served-app.ts';

const mebibyte = 1_048_576;

let served: ServedApp;
let connections: readonly RawConnection[];

beforeEach(async () => {
  connections = [];
  await serve();
});

afterEach(async () => {
  for (const connection of connections) {
    connection.destroy();
  }
  await served.stop();
});

async function serve(limits: Partial<HttpLimits> = {}): Promise<void> {
  served = new ServedApp(limits);
  served.app.use(readBoundedBody({ maxBytes: 4 * mebibyte, clock: served.clock }));
  served.app.post('/mcp', (context) => context.json({ echo: context.get('body') }));
  await served.start();
}

/** Opens as many connections, each of which sends only the beginning of a request. */
async function openSlow(count: number, beginning: string): Promise<void> {
  connections = await Promise.all(Array.from({ length: count }, () => RawConnection.open(served.port)));
  await Promise.all(connections.map((connection) => connection.send(beginning)));
}

/** One more byte from each remaining one. */
async function drip(text: string): Promise<void> {
  await Promise.all(connections.map((connection) => connection.send(text)));
}

/** Whole calls, one after the other; each has its own canary. */
async function callTimes(count: number): Promise<readonly unknown[]> {
  const echoes: unknown[] = [];
  for (let call = 0; call < count; call += 1) {
    const body = JSON.stringify({ canary: call });
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(served.url('/mcp'), { method: 'POST', body, headers });
    echoes.push(await response.json());
  }
  return echoes;
}

const canaries = (count: number): readonly unknown[] =>
  Array.from({ length: count }, (_, index) => ({ echo: { canary: index } }));

describe('200 connections that are slow', () => {
  it.each([
    ['to send their headers', 'POST /mcp HTTP/1.1\r\nHost: a\r\nX-Slow: '],
    [
      'to send their bodies',
      'POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 4000000\r\n\r\n"',
    ],
    ['to say anything', ''],
  ])('%s do not block others, and end with 408', async (_, beginning) => {
    await served.stop();
    await serve({ headersTimeoutMs: 600, requestTimeoutMs: 1_000, checkIntervalMs: 100 });
    const before = process.memoryUsage().rss;
    await openSlow(200, beginning);
    for (let round = 0; round < 5; round += 1) {
      await (beginning !== '' && drip('x'));
      expect(await callTimes(5)).toEqual(canaries(5));
    }
    const answers = await Promise.all(connections.map((connection) => connection.closed()));
    expect(new Set(answers.map((answer) => answer.slice(0, 12)))).toEqual(new Set(['HTTP/1.1 408']));
    expect(await callTimes(1)).toEqual(canaries(1));
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * mebibyte);
  });

  it('up to the limit of connections leave room for a new one at once, and all room once they have ended', async () => {
    const few = await new ServedApp({ maxConnections: 3, headersTimeoutMs: 200, checkIntervalMs: 50 }).start();
    const slow = await Promise.all([0, 1, 2].map(() => RawConnection.open(few.port)));
    expect((await fetch(few.url())).status).toBe(404);
    await Promise.all(slow.map((connection) => connection.closed()));
    expect((await fetch(few.url())).status).toBe(404);
    await few.stop();
  });
});

describe('a client that does not read its answer', () => {
  it('is left', async () => {
    const stalled = new ServedApp({ stalledTimeoutMs: 200 });
    stalled.app.get('/', (context) => context.text('x'.repeat(mebibyte)));
    await stalled.start();
    const closed = new Promise((resolve) => {
      stalled.server.once('connection', (socket) => socket.once('close', resolve));
    });
    const client = connect({ port: stalled.port, host: '127.0.0.1' }).on('error', () => undefined);
    client.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20));
    await closed;
    client.destroy();
    await stalled.stop();
  });

  it('does not time out before there is an answer', async () => {
    const patient = new ServedApp({ stalledTimeoutMs: 500 });
    const passed = new Promise((resolve) => {
      patient.server.once('timeout', resolve);
    });
    patient.app.get('/', async (context) => {
      await passed;
      return context.text('at last');
    });
    await patient.start();
    expect(await (await fetch(patient.url())).text()).toBe('at last');
    await patient.stop();
  });
});

describe('large bodies are refused while others are served', () => {
  it('16 bodies of 100 MB at once leave the memory as it was', async () => {
    const before = process.memoryUsage().rss;
    connections = await Promise.all(Array.from({ length: 16 }, () => RawConnection.open(served.port)));
    const piece = Buffer.alloc(mebibyte, 0x20);
    const flood = connections.map(async (connection) => {
      await connection.send(
        'POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      );
      for (let sent = 0; sent < 100 && !connection.isClosed; sent += 1) {
        await connection.send(`${piece.length.toString(16)}\r\n`);
        await connection.send(piece);
        await connection.send('\r\n');
      }
      return connection.closed();
    });
    expect(await callTimes(20)).toEqual(canaries(20));
    const answers = await Promise.all(flood);
    expect(answers.every((answer) => /^HTTP\/1.1 (413|503) /.test(answer))).toBe(true);
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * mebibyte);
  });

  it('bodies of 100,000 levels are answered, one by one', async () => {
    const body = `${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`;
    const headers = { 'Content-Type': 'application/json' };
    const hostile = Array.from({ length: 10 }, () =>
      fetch(served.url('/mcp'), { method: 'POST', body, headers }).then(({ status }) => status),
    );
    expect(await callTimes(5)).toEqual(canaries(5));
    expect(new Set(await Promise.all(hostile))).toEqual(new Set([400]));
  });
});
