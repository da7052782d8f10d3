import { streamSSE } from 'hono/streaming';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RawConnection } from './testing/raw-connection.ts';
import { ServedApp } from './testing/served-app.ts';

let served: ServedApp;
const connections: RawConnection[] = [];

async function connect(): Promise<RawConnection> {
  const connection = await RawConnection.open(served.port);
  connections.push(connection);
  return connection;
}

/** The response to raw bytes. The connection is closed after it. */
async function answerTo(bytes: string): Promise<string> {
  const connection = await connect();
  await connection.send(bytes);
  return connection.closed();
}

function bodyOf(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
}

const errorOf = (code: string): object => ({
  error: { code, message: expect.stringMatching(/^[A-Z].*\.$/), requestId: expect.stringMatching(/^[\w.-]{1,64}$/) },
});

beforeEach(async () => {
  served = await new ServedApp({ headersTimeoutMs: 300, requestTimeoutMs: 400, checkIntervalMs: 50 }).start();
  served.app.get('/', (context) => context.json({ says: 'hello' }));
  served.app.post('/', async (context) => context.json({ read: (await context.req.text()).length }));
});

afterEach(async () => {
  for (const connection of connections.splice(0)) {
    connection.destroy();
  }
  await served.stop();
});

describe('createHttpServer refuses as JSON and closes', () => {
  it.each([
    ['bytes that are not HTTP', 'Hello?\r\n\r\n', 400, 'malformed-request'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'malformed-request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'malformed-request',
    ],
    [
      'a content length with a chunked body',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'malformed-request',
    ],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n', 400, 'malformed-request'],
    ['headers over 8 KiB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(9_000)}\r\n\r\n`, 431, 'headers-too-large'],
    ['a target over 8 KiB', `GET /${'x'.repeat(9_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, 'headers-too-large'],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 405, 'method-not-allowed'],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n', 417, 'expectation-failed'],
    ['headers that never end', 'GET / HTTP/1.1\r\nHost: a\r\nX: ', 408, 'request-timeout'],
    ['nothing at all', '', 408, 'request-timeout'],
    ['a body that never ends', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1', 408, 'request-timeout'],
    ['a bad chunk', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n', 400, 'malformed-request'],
  ])('%s', async (_, bytes, status, code) => {
    const answer = await answerTo(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\nContent-Type: application/json\r\n`));
    expect(answer).toContain('\r\nConnection: close\r\n');
    expect(bodyOf(answer)).toEqual(errorOf(code));
    expect(served.refused).toEqual([code]);
  });
});

describe('createHttpServer answers as JSON, without a stack', () => {
  it.each([
    ['an invalid Host', 'GET / HTTP/1.1\r\nHost: a b<c>\r\n'],
    ['a Host with a path', 'GET / HTTP/1.1\r\nHost: a/../b\r\n'],
    ['a Host with a user', 'GET / HTTP/1.1\r\nHost: a@b\r\n'],
    ['an invalid port', 'GET / HTTP/1.1\r\nHost: a:99999\r\n'],
    ['a backslash', 'GET /a\\..\\b HTTP/1.1\r\nHost: a\r\n'],
    ['a target that is not a path', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n'],
    ['an invalid absolute target', 'GET http://[ HTTP/1.1\r\nHost: a\r\n'],
  ])('%s', async (_, head) => {
    const answer = await answerTo(`${head}Connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer.toLowerCase()).toContain('\r\ncontent-type: application/json\r\n');
    expect(bodyOf(answer)).toEqual(errorOf('malformed-request'));
    expect(answer).not.toMatch(/<html|node_modules|\n\s+at /i);
    expect(served.refused).toEqual(['malformed-request']);
  });

  it("a handler's fault, and logs it under its id", async () => {
    const broken = new ServedApp();
    broken.app.get('/', () => {
      throw new Error('a secret');
    });
    broken.app.onError((error) => {
      throw error;
    });
    await broken.start();
    const response = await fetch(broken.url());
    const body = await response.text();
    await broken.stop();
    expect(response.status).toBe(500);
    expect(JSON.parse(body)).toEqual(errorOf('internal-error'));
    expect(body).not.toContain('secret');
    const [line] = broken.lines;
    expect(line).toMatchObject({ level: 'error', event: 'request-failed', error: { message: 'a secret' } });
    expect(body).toContain(String(line?.['requestId']));
  });

  it('an absolute target by its path', async () => {
    const answer = await answerTo('GET http://a/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(bodyOf(answer)).toEqual({ says: 'hello' });
  });

  it.each(['websocket', 'h2c'])('an upgrade to %s as if it had not been requested', async (protocol) => {
    const head = `GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;
    const connection = await connect();
    await connection.send(head);
    expect(await connection.until('}')).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('createHttpServer does not write into another response', () => {
  it('after a request, when invalid bytes follow', async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    served.app.get('/stream', (context) =>
      streamSSE(context, async (stream) => {
        await stream.writeSSE({ data: 'first' });
        await finished;
      }),
    );
    const connection = await connect();
    await connection.send('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n');
    await connection.until('first');
    await connection.send('Hello?\r\n\r\n');
    const answer = await connection.closed();
    finish();
    expect(answer.match(/HTTP\/1.1 /g)).toHaveLength(1);
    expect(answer).not.toContain('malformed-request');
  });

  it.each([
    ['no HTTP', 'Hello?\r\n\r\n'],
    ['a CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
  ])('before the response to an earlier request, when %s follows', async (_, bytes) => {
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    served.app.get('/never', () => {
      begin();
      return new Promise<Response>(() => undefined);
    });
    const connection = await connect();
    await connection.send('GET /never HTTP/1.1\r\nHost: a\r\n\r\n');
    await begun;
    await connection.send(bytes);
    expect(await connection.closed()).toBe('');
    expect(served.refused).toEqual([]);
  });

  it('but answers a request after an answered one', async () => {
    const connection = await connect();
    await connection.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await connection.until('hello');
    await connection.send('Hello?\r\n\r\n');
    const answer = await connection.closed();
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });
});

describe('createHttpServer ends', () => {
  it('the connection of a refused sender that keeps sending', async () => {
    const connection = await connect();
    await connection.send('POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    await connection.until('404 Not Found');
    const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`;
    while (!connection.isClosed) {
      await connection.send(chunk);
    }
    expect((await fetch(served.url())).status).toBe(200);
  });

  it('a connection whose stream breaks, so that it does not look complete, and logs it', async () => {
    served.app.get('/breaks', () => {
      const pieces = [new TextEncoder().encode('data: 1\n\n')];
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const piece = pieces.shift();
          if (piece === undefined) {
            throw new Error('a secret');
          }
          controller.enqueue(piece);
        },
      });
      return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
    });
    const connection = await connect();
    await connection.send('GET /breaks HTTP/1.1\r\nHost: a\r\n\r\n');
    const answer = await connection.closed();
    expect(answer).not.toMatch(/secret|\r\n0\r\n\r\n$/);
    expect(served.lines).toMatchObject([{ level: 'error', event: 'stream-failed', error: { message: 'a secret' } }]);
  });

  it('the last stream of a connection with `Connection: close`, and so sends no 503', async () => {
    const few = await new ServedApp({ maxRequestsPerSocket: 2 }).start();
    let asked = 0;
    few.app.get('/stream', () => {
      asked += 1;
      const headers = { 'Content-Type': 'text/event-stream', Connection: 'keep-alive' };
      return new Response(`data: ${asked}\n\n`, { headers });
    });
    const connection = await RawConnection.open(few.port);
    await connection.send('GET /stream HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2));
    const [, first, last] = (await connection.until('data: 2')).split('HTTP/1.1 200 OK');
    expect(first).toContain('Connection: keep-alive');
    expect(last).toContain('Connection: close');
    connection.destroy();
    await few.stop();
  });

  it('ACCESS-01: the oldest connection of a stranger over the limit, and counts it', async () => {
    const few = await new ServedApp({ maxConnections: 2 }).start();
    const [oldest, other] = [await RawConnection.open(few.port), await RawConnection.open(few.port)];
    const further = await RawConnection.open(few.port);
    expect(await oldest.closed()).toBe('');
    expect([other.isClosed, further.isClosed]).toEqual([false, false]);
    expect(few.refused).toEqual(['connection-displaced']);
    other.destroy();
    further.destroy();
    await few.stop();
  });

  it('ACCESS-01: a new connection if all others carry requests with valid tokens, and counts it', async () => {
    const few = await new ServedApp({ maxConnections: 2 }).start();
    let begun = 0;
    const bothBegun = new Promise<void>((resolve) => {
      few.app.get('/hang', (context) => {
        context.env.noteOwner?.('alice');
        begun += 1;
        if (begun === 2) {
          resolve();
        }
        return new Promise<Response>(() => undefined);
      });
    });
    const busy = [await RawConnection.open(few.port), await RawConnection.open(few.port)];
    await Promise.all(busy.map((connection) => connection.send('GET /hang HTTP/1.1\r\nHost: a\r\n\r\n')));
    await bothBegun;
    const further = await RawConnection.open(few.port);
    expect(await further.closed()).toBe('');
    expect(busy.map(({ isClosed }) => isClosed)).toEqual([false, false]);
    expect(few.refused).toEqual(['too-many-connections']);
    for (const connection of busy) {
      connection.destroy();
    }
    await few.stop();
  });
});
