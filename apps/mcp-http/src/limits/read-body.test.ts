import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RawConnection } from '../operation/testing/raw-connection.ts';
import { ServedApp } from '../operation/testing/served-app.ts';
import { readBody } from './read-body.ts';

const json = { 'Content-Type': 'application/json' };
const maxBytes = 1_000;

let served: ServedApp;
/** What routes were given. */
let bodies: unknown[];
const connections: RawConnection[] = [];

beforeEach(async () => {
  served = await new ServedApp().start();
  bodies = [];
  served.app.use(readBody({ maxBytes, maxBytesAtOnce: 2_500, clock: served.clock }));
  served.app.post('*', (context) => {
    bodies.push(context.get('body'));
    return context.json({ ok: true });
  });
});

afterEach(async () => {
  for (const connection of connections.splice(0)) {
    connection.destroy();
  }
  await served.stop();
});

function post(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = json,
  path = '/api/x',
): Promise<Response> {
  return fetch(served.url(path), { method: 'POST', body, headers });
}

async function connect(): Promise<RawConnection> {
  const connection = await RawConnection.open(served.port);
  connections.push(connection);
  return connection;
}

/** A request whose body is still to come. */
function head(headers: string, path = '/api/x', principal = 'a'): string {
  return `POST ${path} HTTP/1.1\r\nHost: a\r\nX-Principal: ${principal}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`;
}

const chunk = (size: number): string => `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`;

describe('readBody', () => {
  it.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['Application/JSON;charset="utf-8"'],
    ['application/json ; a=b'],
  ])('reads a body of type %s', async (type) => {
    const response = await post('{"a":[1,"ü"]}', { 'Content-Type': type });
    expect(response.status).toBe(200);
    expect(bodies).toEqual([{ a: [1, 'ü'] }]);
  });

  it('reads a body of exactly as many bytes as there may be, however it is sent', async () => {
    const body = `"${'x'.repeat(maxBytes - 2)}"`;
    expect((await post(body)).status).toBe(200);
    const connection = await connect();
    const pieces = `1f4\r\n${body.slice(0, 500)}\r\n1f4\r\n${body.slice(500)}\r\n0\r\n\r\n`;
    await connection.send(`${head('Transfer-Encoding: chunked')}${pieces}`);
    expect(await connection.until('}')).toMatch(/^HTTP\/1.1 200 /);
    expect(bodies).toEqual([JSON.parse(body), JSON.parse(body)]);
  });

  it.each([
    ['/api/x', { error: { code: 'malformed-body', message: 'The body is not valid JSON.' } }],
    ['/mcp', { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'The body is not valid JSON.' } }],
  ])('refuses what is no JSON on %s, and goes on with the connection', async (path, body) => {
    const response = await post('{"a":', json, path);
    expect(response.status).toBe(400);
    expect(response.headers.get('Connection')).not.toBe('close');
    expect(await response.json()).toMatchObject(body);
    expect(bodies).toEqual([]);
  });

  it('refuses 100,000 levels in a body that is otherwise small enough', async () => {
    const large = await new ServedApp().start();
    large.app.use(readBody({ maxBytes: 4_194_304, clock: large.clock }));
    const body = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const response = await fetch(large.url('/mcp'), { method: 'POST', body, headers: json });
    expect(await response.json()).toMatchObject({ error: { code: -32_700 } });
    await large.stop();
  });
});

describe('readBody refuses by the headers alone', () => {
  it.each([
    ['text/plain'],
    ['text/plain; a=application/json'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonp'],
    ['application/json, text/plain'],
  ])('HTTP-06: a body of type %s, as any web page may send it, with 415', async (type) => {
    const response = await post('{"a":1}', { 'Content-Type': type });
    expect(response.status).toBe(415);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
    expect(await response.json()).toMatchObject({ error: { code: 'unsupported-media-type' } });
    expect(bodies).toEqual([]);
  });

  it('HTTP-06: a body of no type or of two, with 415', async () => {
    const connection = await connect();
    await connection.send('POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}');
    expect(await connection.until('}')).toMatch(/^HTTP\/1.1 415 /);
    const second = await connect();
    await second.send(`${head('Content-Type: text/plain\r\nContent-Length: 2')}{}`);
    expect(await second.until('}')).toMatch(/^HTTP\/1.1 415 /);
    expect(bodies).toEqual([]);
  });

  it.each(['gzip', 'br', 'deflate', 'identity, gzip', 'x'])(
    'HTTP-09: a body encoded as %s, with 415',
    async (encoding) => {
      const response = await post(gzipSync('{}'), { ...json, 'Content-Encoding': encoding });
      expect(response.status).toBe(415);
      expect(response.headers.get('Accept-Encoding')).toBe('identity');
      expect(await response.json()).toMatchObject({ error: { code: 'unsupported-content-encoding' } });
      expect(bodies).toEqual([]);
    },
  );

  it('but not one that says it is as it is', async () => {
    expect((await post('{}', { ...json, 'Content-Encoding': 'identity' })).status).toBe(200);
  });
});

describe('HTTP-09: readBody refuses a body that is too large with 413 and closes the connection', () => {
  const refusedAt = async (connection: RawConnection): Promise<void> => {
    const answer = await connection.until('"message"');
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
  };

  it('by its length, before any of it has come', async () => {
    const connection = await connect();
    await connection.send(head(`Content-Length: ${maxBytes + 1}`));
    await refusedAt(connection);
    expect(await connection.closed()).toContain('"code":"body-too-large"');
    expect(bodies).toEqual([]);
  });

  it('in chunks, as soon as there is one byte too many', async () => {
    const connection = await connect();
    await connection.send(`${head('Transfer-Encoding: chunked', '/mcp')}${chunk(maxBytes)}`);
    expect(connection.received).toBe('');
    await connection.send(chunk(1));
    await refusedAt(connection);
    expect(await connection.closed()).toContain('"code":-32000');
    expect(bodies).toEqual([]);
  });

  it('of 100 MB, whose sender reads the answer all the same, and keeps none of it', async () => {
    const before = process.memoryUsage().rss;
    const piece = Buffer.alloc(1_048_576, 0x20);
    const connection = await connect();
    await connection.send(head(`Content-Length: ${100 * piece.length}`));
    for (let sent = 0; sent < 100 && !connection.isClosed; sent += 1) {
      await connection.send(piece);
    }
    expect(await connection.closed()).toMatch(/^HTTP\/1.1 413 /);
    expect(process.memoryUsage().rss - before).toBeLessThan(96 * 1_048_576);
  });

  it('of 20 MB, sent by a client that knows nothing of it', async () => {
    const response = await post(new Uint8Array(20 * 1_048_576).fill(0x20));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { code: 'body-too-large' } });
  });

  it('while others are served', async () => {
    const connection = await connect();
    await connection.send(`${head('Transfer-Encoding: chunked')}${chunk(maxBytes + 1)}`);
    expect((await post('{}')).status).toBe(200);
    await refusedAt(connection);
    expect(bodies).toEqual([{}]);
  });

  it('and lingers no longer than it must for one that sends on without end', async () => {
    const clock = new FakeClock();
    const patient = await new ServedApp().start();
    patient.app.use(readBody({ maxBytes, clock }));
    const connection = await RawConnection.open(patient.port);
    await connection.send(`${head('Transfer-Encoding: chunked')}${chunk(maxBytes + 1)}`);
    expect(await connection.until('"message"')).toMatch(/^HTTP\/1.1 413 /);
    await connection.send(chunk(1));
    expect([connection.isClosed, clock.sleeping]).toEqual([false, 1]);
    await clock.advance(500);
    await connection.closed();
    expect(clock.sleeping).toBe(0);
    await patient.stop();
  });
});

describe('readBody lets a sender that waits for leave', () => {
  it('send what may be sent', async () => {
    const connection = await connect();
    await connection.send(head('Expect: 100-continue\r\nContent-Length: 2'));
    await connection.until('100 Continue');
    await connection.send('{}');
    expect(await connection.closed()).toContain('HTTP/1.1 200 OK');
    expect(bodies).toEqual([{}]);
  });

  it.each([
    ['what is too large', `Expect: 100-continue\r\nContent-Length: ${maxBytes + 1}`, '413'],
    ['what is encoded', 'Expect: 100-continue\r\nContent-Encoding: gzip\r\nContent-Length: 2', '415'],
  ])('not send %s', async (_, headers, status) => {
    const connection = await connect();
    await connection.send(head(headers));
    const answer = await connection.closed();
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).not.toContain('100 Continue');
  });
});

describe('readBody holds no more than it may of all bodies together', () => {
  /** Sends a part of a body and holds back the rest; resolves when the server has it. */
  async function begin(principal: string, size: number): Promise<RawConnection> {
    const connection = await connect();
    await connection.send(`${head('Transfer-Encoding: chunked', '/api/x', principal)}${chunk(size)}`);
    // While another request goes to and fro, what has come before it is read.
    await post('{}');
    return connection;
  }

  it('and refuses the next piece with 503, until others have ended', async () => {
    const held = [await begin('a', 900), await begin('b', 900), await begin('c', 600)];
    const refused = await begin('d', 200);
    const answer = await refused.closed();
    expect(answer).toMatch(/^HTTP\/1.1 503 /);
    expect(answer.toLowerCase()).toContain('\r\nretry-after: 1\r\n');
    expect(answer).toContain('"code":"too-many-bodies"');
    for (const connection of held) {
      await connection.send('0\r\n\r\n');
      await connection.until('malformed-body');
    }
    expect((await post(`"${'x'.repeat(900)}"`)).status).toBe(200);
  });

  it('nor more than half of that for one principal', async () => {
    await begin('a', 900);
    expect(await (await begin('a', 400)).closed()).toMatch(/^HTTP\/1.1 503 /);
    const other = await begin('b', 400);
    await other.send('0\r\n\r\n');
    expect(await other.until('malformed-body')).toMatch(/^HTTP\/1.1 400 /);
  });

  it('and gives back what a sender held that has gone away', async () => {
    const ended: Promise<unknown>[] = [];
    served.server.prependListener('request', (_, outgoing) => ended.push(once(outgoing, 'close')));
    const leaving = await begin('a', 900);
    const refused = await begin('a', 900);
    expect(await refused.closed()).toMatch(/^HTTP\/1.1 503 /);
    leaving.destroy();
    await Promise.all(ended);
    const body = `"${'x'.repeat(900)}"`;
    const response = await post(body, { ...json, 'X-Principal': 'a' });
    expect(response.status).toBe(200);
  });
});
